import type { QuietHours } from '@nephos/contracts';
import { useId, useMemo } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';
import { KindsField } from './kinds-field.tsx';

const NIGHT = {
  ...{ from: '22:00', until: '07:00', urgent: [] },
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
} satisfies QuietHours;

export interface QuietFieldsProps {
  quietHours: QuietHours | null;
  onChange: (quietHours: QuietHours | null) => void;
  /** What the server found wrong. */
  fields: FieldErrors;
}

/** Hours in which nothing is told but what is urgent. */
export function QuietFields({ quietHours, onChange, fields }: QuietFieldsProps) {
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], []);
  const zonesId = useId();
  return (
    <>
      <Field label="Quiet hours" hint="What comes meanwhile is told as one message at their end.">
        <Switch checked={quietHours !== null} onCheckedChange={(on) => onChange(on ? NIGHT : null)} />
      </Field>
      {quietHours && (
        <>
          <div className="grid gap-4 sm:grid-cols-3">
            <Field label="From" error={fields['quietHours.from']}>
              <Input
                type="time"
                value={quietHours.from}
                onChange={({ target: { value } }) => onChange({ ...quietHours, from: value })}
              />
            </Field>
            <Field label="Until" error={fields['quietHours.until']}>
              <Input
                type="time"
                value={quietHours.until}
                onChange={({ target: { value } }) => onChange({ ...quietHours, until: value })}
              />
            </Field>
            <Field label="Time zone" error={fields['quietHours.timeZone']}>
              <Input
                value={quietHours.timeZone}
                list={zonesId}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target: { value } }) => onChange({ ...quietHours, timeZone: value })}
              />
            </Field>
          </div>
          <datalist id={zonesId}>
            {zones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <KindsField
            legend="Always alert at once"
            hint="These are told in quiet hours too."
            kinds={quietHours.urgent}
            onChange={(urgent) => onChange({ ...quietHours, urgent })}
          />
        </>
      )}
    </>
  );
}
