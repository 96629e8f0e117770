import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';

export interface MinutesFieldProps {
  /** Minutes, as they were typed. */
  value: string;
  onChange: (value: string) => void;
  /** Seconds. */
  most: number;
  error: string | undefined;
}

/** Seconds of minutes that were typed; undefined where they are none, or out of bounds. */
export function secondsOf(minutes: string, most: number): number | undefined {
  const seconds = /^\d+$/.test(minutes.trim()) ? Number(minutes) * 60 : 0;
  return seconds >= 60 && seconds <= most ? seconds : undefined;
}

/** A time limit in minutes. */
export function MinutesField({ value, onChange, most, error }: MinutesFieldProps) {
  const bounds = `From 1 minute to ${most / 3600} hours (${most / 60} minutes).`;
  const isWrong = value.trim() !== '' && secondsOf(value, most) === undefined;
  return (
    <Field
      label="Time limit in minutes"
      required
      error={error ?? (isWrong ? bounds : undefined)}
      hint="The command is stopped when it takes longer."
    >
      <Input
        value={value}
        onChange={(event) => onChange(event.target.value)}
        inputMode="numeric"
        className="max-w-32"
        autoComplete="off"
      />
    </Field>
  );
}
