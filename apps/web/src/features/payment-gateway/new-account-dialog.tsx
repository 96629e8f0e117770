import { DEFAULT_BANK_NAME } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useLimit } from '../../lib/use-limit.tsx';
import { useOnce } from '../../lib/use-once.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';

export function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const { client, paymentGateway } = trpc.useUtils();
  const { values, set } = useDraft({ accountName: '', bankName: DEFAULT_BANK_NAME });
  const create = useAction(useOnce(client.paymentGateway.createVirtualAccount.mutate), {
    success: 'Virtual account created successfully!',
    failure: 'Failed to create virtual account',
    serverSpeaks: true,
    refresh: [paymentGateway.virtualAccounts],
    leave: onClose,
  });
  return (
    <FormDialog
      title="Create Virtual Account"
      description="The account gets its own number and starts at $0.00. Currency: USD."
      label="Create"
      ready={values.accountName.trim() !== ''}
      limit={useLimit('virtualAccounts')}
      action={create}
      onSubmit={() => create.run({ ...values, currency: 'USD' })}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
