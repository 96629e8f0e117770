import type { Outputs } from '@nephos/contracts';
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
      <Examples onChoose={(example) => onChange({ schedule: example })} />
      <TimeZoneField
        timeZone={timeZone}
        onChange={(zone) => onChange({ timeZone: zone })}
        error={found.timeZone ?? fields.timeZone}
      />
      <Meaning
        preview={preview.error ? undefined : preview.data}
        timeZone={wanted.timeZone}
        isWrong={preview.error !== null}
      />
    </>
  );
}

function Examples({ onChoose }: { onChoose: (schedule: string) => void }) {
  return (
    <fieldset className="-mt-2 flex flex-wrap gap-2">
      <legend className="sr-only">Examples</legend>
      {EXAMPLES.map(({ schedule, label }) => (
        <Button key={schedule} size="sm" variant="ghost" onClick={() => onChoose(schedule)}>
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

interface TimeZoneFieldProps {
  timeZone: string;
  onChange: (timeZone: string) => void;
  error: string | undefined;
}

function TimeZoneField({ timeZone, onChange, error }: TimeZoneFieldProps) {
  const zones = useMemo(timeZones, []);
  const zonesId = useId();
  return (
    <>
      <Field label="Time zone" required error={error}>
        <Input
          value={timeZone}
          onChange={(event) => onChange(event.target.value)}
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
    </>
  );
}

interface MeaningProps {
  /** Absent until the server has said it, and where the schedule is wrong. */
  preview: Outputs['appRuns']['previewSchedule'] | undefined;
  timeZone: string;
  isWrong: boolean;
}

/** A schedule in words, and when it is due next. */
function Meaning({ preview, timeZone, isWrong }: MeaningProps) {
  const nothing = isWrong ? 'Correct the schedule to see the next runs.' : 'Looking up the next runs…';
  return (
    <div aria-live="polite" className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
      {preview ? (
        <>
          <p className="font-medium">{preview.description}</p>
          <p className="mt-1 text-muted">
            Next: {preview.next.map((due) => formatInZone(due, timeZone)).join(' · ')}
          </p>
        </>
      ) : (
        <p className="text-muted">{nothing}</p>
      )}
    </div>
  );
}
