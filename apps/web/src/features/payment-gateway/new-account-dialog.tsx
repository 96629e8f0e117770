import { DEFAULT_BANK_NAME } from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useOnce } from '../../lib/use-once.ts';
import { trpc } from '../../trpc.ts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { Input } from '../../ui/input.tsx';

export interface NewAccountDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function NewAccountDialog({ open, onOpenChange }: NewAccountDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Create Virtual Account"
        description="It gets an account number at once, and starts with nothing in it. Its currency is USD."
      >
        <NewAccountForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function useCreateAccount(onDone: () => void) {
  const { client, paymentGateway } = trpc.useUtils();
  return useAction(useOnce(client.paymentGateway.createVirtualAccount.mutate), {
    success: 'Virtual account created successfully!',
    failure: 'Failed to create virtual account',
    serverSpeaks: true,
    refresh: [paymentGateway.virtualAccounts],
    onDone,
  });
}

/** Mounted with the dialog, so that each opening starts from the defaults. */
function NewAccountForm({ onDone }: { onDone: () => void }) {
  const { values, set, reset } = useDraft({ accountName: '', bankName: DEFAULT_BANK_NAME });
  const create = useCreateAccount(() => {
    reset();
    onDone();
  });
  const ready = values.accountName.trim() !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !create.pending) create.run({ ...values, currency: 'USD' });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Account name" required error={create.fields.accountName}>
        <Input
          value={values.accountName}
          onChange={(event) => set('accountName', event.target.value)}
          placeholder="Operations"
          autoComplete="off"
        />
      </Field>
      <Field label="Bank name" error={create.fields.bankName}>
        <Input
          value={values.bankName}
          onChange={(event) => set('bankName', event.target.value)}
          placeholder={DEFAULT_BANK_NAME}
          autoComplete="off"
        />
      </Field>
      <FormEnd label="Create" disabled={!ready} pending={create.pending} refusal={create.refusal} />
    </form>
  );
}
