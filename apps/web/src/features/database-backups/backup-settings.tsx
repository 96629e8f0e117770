import type { DatabasePast } from '@nephos/contracts';
import { MAX_KEEP_DAYS } from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { textOfNumber, typedNumber } from '../../lib/typed-number.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** The hours of a day as they are where the person is. */
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${clock.format(new Date().setUTCHours(hour, 0, 0, 0))} (${String(hour).padStart(2, '0')}:00 UTC)`,
}));

/** For how long the past is kept, and when the nightly backup begins. */
export function BackupSettings({ id, past: { keepDays, hour } }: { id: string; past: DatabasePast }) {
  const utils = trpc.useUtils();
  const draft = useDraft({ keepDays: textOfNumber(keepDays), hour: String(hour) });
  const update = useAction(trpc.databaseBackups.update.useMutation(), {
    success: 'Saved',
    failure: 'Failed to save',
    serverSpeaks: true,
    onDone: (past) => {
      utils.databaseBackups.get.setData({ id }, past);
      draft.reset();
    },
  });
  const days = typedNumber(draft.values.keepDays);

  function save(event: FormEvent) {
    event.preventDefault();
    if (!update.pending) update.run({ id, keepDays: days ?? -1, hour: Number(draft.values.hour) });
  }

  return (
    <Card className="min-w-0">
      <CardHeader title="Schedule" />
      <form noValidate onSubmit={save} className="mt-4 flex flex-col gap-4">
        <Field
          label="Keep for (days)"
          hint={`From 1 to ${MAX_KEEP_DAYS}. What is older is deleted.`}
          error={update.fields.keepDays}
        >
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_KEEP_DAYS}
            value={draft.values.keepDays}
            onChange={({ target }) => draft.set('keepDays', target.value)}
          />
        </Field>
        <Field label="Back up nightly at" error={update.fields.hour}>
          <Select
            value={draft.values.hour}
            onValueChange={(chosen) => draft.set('hour', chosen)}
            options={HOURS}
          />
        </Field>
        <Button type="submit" {...update.button} disabled={!draft.changed} className="self-start">
          Save
        </Button>
      </form>
    </Card>
  );
}
