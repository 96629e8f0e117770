import { useDeferredValue, useId, useMemo } from 'react';
import { type FieldErrors, fieldErrorsOf } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { formatInZone, timeZones } from './zones.ts';

export interface ScheduleFieldsProps {
  schedule: string;
  timeZone: string;
  onChange: (changed: { schedule?: string; timeZone?: string }) => void;
  /** What the server found wrong when it was sent. */
  fields: FieldErrors;
}

const EXAMPLES = [
  { schedule: '*/15 * * * *', label: 'Every 15 minutes' },
  { schedule: '0 * * * *', label: 'Every hour' },
  { schedule: '0 3 * * *', label: 'Every day at 03:00' },
  { schedule: '0 9 * * 1-5', label: 'Weekdays at 09:00' },
] as const;

/** A schedule and its time zone, with what they mean. */
export function ScheduleFields({ schedule, timeZone, onChange, fields }: ScheduleFieldsProps) {
  const zones = useMemo(timeZones, []);
  const zonesId = useId();
  const wanted = useDeferredValue({ schedule: schedule.trim(), timeZone: timeZone.trim() });
  const preview = trpc.appRuns.previewSchedule.useQuery(wanted, {
    enabled: wanted.schedule !== '' && wanted.timeZone !== '',
    placeholderData: (before) => before,
    retry: false,
  });
  const found: FieldErrors = preview.error ? fieldErrorsOf(preview.error) : {};
  return (
    <>
      <Field
        label="Schedule"
        required
        error={found.schedule ?? fields.schedule}
        hint="Minute, hour, day of the month, month and day of the week."
      >
        <Input
          value={schedule}
          onChange={(event) => onChange({ schedule: event.target.value })}
          maxLength={100}
          className="font-mono"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <fieldset className="-mt-2 flex flex-wrap gap-2">
        <legend className="sr-only">Examples</legend>
        {EXAMPLES.map((example) => (
          <Button
            key={example.schedule}
            size="sm"
            variant="ghost"
            onClick={() => onChange({ schedule: example.schedule })}
          >
            {example.label}
          </Button>
        ))}
      </fieldset>
      <Field label="Time zone" required error={found.timeZone ?? fields.timeZone}>
        <Input
          value={timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value })}
          list={zonesId}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <datalist id={zonesId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <div aria-live="polite" className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
        {preview.data && !preview.error ? (
          <>
            <p className="font-medium">{preview.data.description}</p>
            <p className="mt-1 text-muted">
              Next: {preview.data.next.map((due) => formatInZone(due, wanted.timeZone)).join(' · ')}
            </p>
          </>
        ) : (
          <p className="text-muted">
            {preview.error ? 'Correct the schedule to see the next runs.' : 'Looking up the next runs…'}
          </p>
        )}
      </div>
    </>
  );
}
