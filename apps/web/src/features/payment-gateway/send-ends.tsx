import type { VirtualAccount } from '@nephos/contracts';
import { memo, useCallback, useMemo } from 'react';
import { formatCents } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Party, PaymentDraft } from './payment-draft.ts';

export interface SendEndsProps {
  accounts: readonly VirtualAccount[];
  /** Id of the account that the money leaves. */
  from: string;
  onFromChange: (id: string) => void;
  draft: Draft<PaymentDraft>;
  error: string | undefined;
}

/** The account that the money leaves, and what fills in the one that it goes to. */
export function SendEnds({ accounts, from, onFromChange, draft: { values, set }, error }: SendEndsProps) {
  const pick = useCallback(
    ({ accountNumber, accountName, bankName }: Party) => {
      set('accountNumber', accountNumber);
      set('accountName', accountName);
      set('bankName', bankName);
    },
    [set],
  );
  return (
    <div className="grid grid-cols-1 gap-4 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none">
      <Field label="From" error={error}>
        <Select
          value={from}
          onValueChange={onFromChange}
          options={accounts.map(({ id, accountName, balance }) => ({
            value: id,
            label: `${accountName} · ${formatCents(balance)}`,
          }))}
        />
      </Field>
      <ReceiverPicker accounts={accounts} from={from} receiver={values} onPick={pick} />
    </div>
  );
}

interface ReceiverPickerProps {
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
function ReceiverPicker({ accounts, from, receiver, onPick }: ReceiverPickerProps) {
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
