import type { ReactNode } from 'react';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';

export interface AmountFieldProps {
  /** Dollars, as typed. */
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error: string | undefined;
}

export function AmountField({ value, onChange, hint, error }: AmountFieldProps) {
  return (
    <Field label="Amount (USD)" required hint={hint} error={error}>
      <Input
        type="number"
        inputMode="decimal"
        step="0.01"
        min="0.01"
        placeholder="0.00"
        autoComplete="off"
        className="tabular-nums [appearance:textfield] [&::-webkit-inner-spin-button]:hidden [&::-webkit-outer-spin-button]:hidden"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        // The wheel would change an amount unseen, while it only scrolls the dialog.
        onWheel={(event) => event.currentTarget.blur()}
      />
    </Field>
  );
}
