import type { VirtualAccount } from '@nephos/contracts';
import { trpc } from '../../trpc.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Party } from './payment-draft.ts';

export interface ReceiverPickerProps {
  /** One's own accounts that the money could go to. */
  accounts: readonly VirtualAccount[];
  /** What the form holds. */
  receiver: Party;
  onPick: (receiver: Party) => void;
}

function isSame(one: Party, other: Party): boolean {
  return (
    one.accountNumber === other.accountNumber &&
    one.accountName === other.accountName &&
    one.bankName === other.bankName
  );
}

/** Fills in the receiver from a beneficiary or another account of one's own; nothing where there are none. */
export function ReceiverPicker({ accounts, receiver, onPick }: ReceiverPickerProps) {
  // A help only: without it, everything can still be typed.
  const { data: beneficiaries = [] } = trpc.paymentGateway.beneficiaries.useQuery();
  const choices = [
    ...accounts.map((account) => ({ ...account, note: 'your account' })),
    ...beneficiaries.map((beneficiary) => ({ ...beneficiary, note: beneficiary.bankName })),
  ];
  if (choices.length === 0) return null;
  return (
    <Field label="Beneficiary">
      <Select
        value={choices.find((choice) => isSame(choice, receiver))?.id ?? ''}
        onValueChange={(id) => {
          const chosen = choices.find((choice) => choice.id === id);
          if (!chosen) return;
          const { accountNumber, accountName, bankName } = chosen;
          onPick({ accountNumber, accountName, bankName });
        }}
        placeholder="Choose one, or type"
        options={choices.map(({ id, accountName, note }) => ({
          value: id,
          label: `${accountName} · ${note}`,
        }))}
      />
    </Field>
  );
}
