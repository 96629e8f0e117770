import type { VirtualAccount } from '@nephos/contracts';
import { useCallback } from 'react';
import { formatCents } from '../../lib/money.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Party, PaymentDraft } from './payment-draft.ts';
import { ReceiverPicker } from './receiver-picker.tsx';

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
