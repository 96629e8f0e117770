import { useId } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { PlainInput } from '../../ui/plain-input.tsx';

interface DomainInputProps {
  value: string;
  onChange: (value: string) => void;
}

/** A domain to type, with those that one has as suggestions. */
export function DomainInput({ value, onChange }: DomainInputProps) {
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const suggestions = useId();
  return (
    <>
      <PlainInput
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder="example.com"
        list={suggestions}
        // The arrow that browsers draw is none of ours; the list opens without it.
        className="[&::-webkit-calendar-picker-indicator]:hidden!"
      />
      <datalist id={suggestions}>
        {zones.map((zone) => (
          <option key={zone.domain} value={zone.domain} />
        ))}
      </datalist>
    </>
  );
}
