import type { ManagedDatabase } from '@nephos/contracts';
import { CircleCheck, Moon } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';

type Activity = NonNullable<ManagedDatabase['activity']>;

const LOOKS = {
  asleep: { label: 'Asleep', tone: 'neutral', icon: <Moon aria-hidden="true" /> },
  waking: { label: 'Waking', tone: 'info', icon: <Spinner /> },
  awake: { label: 'Awake', tone: 'success', icon: <CircleCheck aria-hidden="true" /> },
} as const;

const NEVER = 'never';
const CHOICES: readonly (readonly [minutes: number, label: string])[] = [
  [5, '5 minutes'],
  [15, '15 minutes'],
  [60, '1 hour'],
  [360, '6 hours'],
  [1440, '1 day'],
];

/** Whether the database's own server runs, and when it does not. */
export function SleepSection({
  database: { id, sleepAfter },
  activity,
}: {
  database: ManagedDatabase;
  activity: Activity;
}) {
  const utils = trpc.useUtils();
  const update = useAction(trpc.databases.update.useMutation(), {
    success: 'Saved',
    failure: 'Failed to save',
    serverSpeaks: true,
    refresh: [utils.databases.get, utils.databases.list],
  });
  const { label, tone, icon } = LOOKS[activity];
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Server"
        aside={
          <Badge tone={tone} icon={icon}>
            {label}
          </Badge>
        }
      />
      <Field
        className="mt-4"
        label="Sleep after"
        hint="Without connections for this long, the server stops. The next connection starts it again."
      >
        <Select
          value={sleepAfter === null ? NEVER : String(sleepAfter)}
          disabled={update.pending}
          onValueChange={(chosen) => update.run({ id, sleepAfter: chosen === NEVER ? null : Number(chosen) })}
          options={[...choicesWith(sleepAfter), { value: NEVER, label: 'Never' }]}
        />
      </Field>
    </Card>
  );
}

/** The usual ones, with another that was set by the API. */
function choicesWith(sleepAfter: number | null) {
  const isOther = sleepAfter !== null && !CHOICES.some(([minutes]) => minutes === sleepAfter);
  const all = isOther ? [...CHOICES, [sleepAfter, `${sleepAfter} minutes`] as const] : CHOICES;
  return all
    .toSorted(([one], [other]) => one - other)
    .map(([minutes, label]) => ({ value: String(minutes), label }));
}
