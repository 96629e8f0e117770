import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';

const DEFAULTS = { accountName: '', accountNumber: '', bankName: '', bankCode: '' };

export function AddBeneficiaryDialog({ onClose }: { onClose: () => void }) {
  const { paymentGateway } = trpc.useUtils();
  const draft = useDraft(DEFAULTS);
  const add = useAction(trpc.paymentGateway.createBeneficiary.useMutation(), {
    success: 'Beneficiary added successfully!',
    failure: 'Failed to add beneficiary',
    refresh: [paymentGateway.beneficiaries],
    leave: onClose,
  });
  const { accountName, accountNumber, bankName, bankCode } = draft.values;
  return (
    <FormDialog
      title="Add Beneficiary"
      description="Save an account you pay often."
      label="Add"
      ready={[accountName, accountNumber, bankName].every((text) => text.trim() !== '')}
      action={add}
      onSubmit={() => add.run({ ...draft.values, bankCode: bankCode.trim() })}
      onClose={onClose}
    >
      <BeneficiaryFields draft={draft} errors={add.fields} />
    </FormDialog>
  );
}

interface BeneficiaryFieldsProps {
  draft: Draft<typeof DEFAULTS>;
  errors: FieldErrors;
}

function BeneficiaryFields({ draft: { values, set }, errors }: BeneficiaryFieldsProps) {
  return (
    <>
      <Field label="Account name" required error={errors.accountName}>
        <Input
          value={values.accountName}
          onChange={(event) => set('accountName', event.target.value)}
          autoComplete="off"
        />
      </Field>
      <Field label="Account number" required error={errors.accountNumber}>
        <PlainInput
          value={values.accountNumber}
          onChange={(event) => set('accountNumber', event.target.value)}
          placeholder="0123456789"
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label="Bank name" required error={errors.bankName}>
          <Input
            value={values.bankName}
            onChange={(event) => set('bankName', event.target.value)}
            autoComplete="off"
          />
        </Field>
        <Field label="Bank code" hint="Optional" error={errors.bankCode}>
          <PlainInput
            value={values.bankCode}
            onChange={(event) => set('bankCode', event.target.value.toUpperCase())}
            placeholder="BOFLGB2L"
          />
        </Field>
      </div>
    </>
  );
}
