import type { Action } from '../../lib/use-action.ts';
import { FormEnd } from '../../ui/form-end.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface PaymentFormEndProps {
  /** The verb on the button. */
  label: string;
  disabled: boolean;
  action: Pick<Action<never>, 'pending' | 'refusal'>;
  /** Whether no answer told what became of the last attempt. */
  uncertain: boolean;
}

/** What a payment's form ends with. */
export function PaymentFormEnd({ label, disabled, action, uncertain }: PaymentFormEndProps) {
  return (
    <>
      {uncertain && (
        <Notice tone="warning" title="It is not known whether this payment was made">
          No answer came. Trying again is safe: it is made once, however often you try. If you close this,
          look among your transactions before you pay again.
        </Notice>
      )}
      <FormEnd
        label={uncertain ? 'Try again' : label}
        disabled={disabled}
        pending={action.pending}
        refusal={uncertain ? undefined : action.refusal}
      />
    </>
  );
}
