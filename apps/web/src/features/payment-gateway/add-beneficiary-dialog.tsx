import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';

const DEFAULTS = { accountName: '', accountNumber: '', bankName: '', bankCode: '' };

export interface AddBeneficiaryDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function AddBeneficiaryDialog({ open, onOpenChange }: AddBeneficiaryDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Add Beneficiary"
        description="An account that you can send to without typing it again."
      >
        <AddBeneficiaryForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the dialog, so that each opening starts from the defaults. */
function AddBeneficiaryForm({ onDone }: { onDone: () => void }) {
  const { paymentGateway } = trpc.useUtils();
  const { values, set, reset } = useDraft(DEFAULTS);
  const add = useAction(trpc.paymentGateway.createBeneficiary.useMutation(), {
    success: 'Beneficiary added successfully!',
    failure: 'Failed to add beneficiary',
    refresh: [paymentGateway.beneficiaries],
    onDone: () => {
      reset();
      onDone();
    },
  });
  const { accountName, accountNumber, bankName, bankCode } = values;
  const ready = [accountName, accountNumber, bankName].every((text) => text.trim() !== '');

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !add.pending) add.run({ ...values, bankCode: bankCode.trim() });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Account name" required error={add.fields.accountName}>
        <Input
          value={accountName}
          onChange={(event) => set('accountName', event.target.value)}
          autoComplete="off"
        />
      </Field>
      <Field label="Account number" required error={add.fields.accountNumber}>
        <PlainInput
          value={accountNumber}
          onChange={(event) => set('accountNumber', event.target.value)}
          placeholder="0123456789"
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label="Bank name" required error={add.fields.bankName}>
          <Input
            value={bankName}
            onChange={(event) => set('bankName', event.target.value)}
            autoComplete="off"
          />
        </Field>
        <Field label="Bank code" hint="Optional" error={add.fields.bankCode}>
          <PlainInput
            value={bankCode}
            onChange={(event) => set('bankCode', event.target.value.toUpperCase())}
            placeholder="BOFLGB2L"
          />
        </Field>
      </div>
      <FormEnd label="Add" disabled={!ready} pending={add.pending} refusal={add.refusal} />
    </form>
  );
}
