import type { VirtualAccount } from '@nephos/contracts';
import { memo, useMemo } from 'react';
import { trpc } from '../../trpc.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Party } from './payment-draft.ts';

export interface ReceiverPickerProps {
  accounts: readonly VirtualAccount[];
  /** Id of the account that the money leaves. */
  from: string;
  /** What the form holds. */
  receiver: Party;
  onPick: (receiver: Party) => void;
}

/** Somebody to choose. */
interface Choice extends Party {
  id: string;
  note: string;
}

function isSame(one: Party, other: Party): boolean {
  return (
    one.accountNumber === other.accountNumber &&
    one.accountName === other.accountName &&
    one.bankName === other.bankName
  );
}

/** Fills in the receiver from a beneficiary or another account of one's own; nothing where there are none. */
export function ReceiverPicker({ accounts, from, receiver, onPick }: ReceiverPickerProps) {
  // A help only: without it, everything can still be typed.
  const { data: beneficiaries } = trpc.paymentGateway.beneficiaries.useQuery();
  const choices = useMemo<Choice[]>(
    () => [
      ...accounts.filter(({ id }) => id !== from).map((account) => ({ ...account, note: 'your account' })),
      ...(beneficiaries ?? []).map((beneficiary) => ({ ...beneficiary, note: beneficiary.bankName })),
    ],
    [accounts, from, beneficiaries],
  );
  if (choices.length === 0) return null;
  const chosen = choices.find((choice) => isSame(choice, receiver))?.id ?? '';
  return <Choices choices={choices} chosen={chosen} onPick={onPick} />;
}

interface ChoicesProps extends Pick<ReceiverPickerProps, 'onPick'> {
  choices: readonly Choice[];
  /** Id, or '' for none. */
  chosen: string;
}

/** Memoised: there may be a thousand, and each key that is typed into the form draws it anew. */
const Choices = memo(function Choices({ choices, chosen, onPick }: ChoicesProps) {
  return (
    <Field label="Beneficiary">
      <Select
        value={chosen}
        onValueChange={(id) => {
          const choice = choices.find((one) => one.id === id);
          if (choice) onPick(choice);
        }}
        placeholder="Choose one, or type"
        options={choices.map(({ id, accountName, note }) => ({
          value: id,
          label: `${accountName} · ${note}`,
        }))}
      />
    </Field>
  );
});
