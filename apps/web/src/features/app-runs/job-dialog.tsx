import type { CronJob } from '@nephos/contracts';
import { COMMAND_MAX, DEFAULT_CRON_LIMIT, MAX_CRON_LIMIT } from '@nephos/contracts/constants';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';
import { MinutesField, secondsOf } from './minutes-field.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { OWN_ZONE } from './zones.ts';

export interface JobDialogProps {
  projectId: string;
  /** The one to change; undefined for a new one. */
  job: CronJob | undefined;
  onClose: () => void;
}

interface Draft {
  name: string;
  command: string;
  schedule: string;
  timeZone: string;
  minutes: string;
  enabled: boolean;
  catchUp: boolean;
}

function draftOf(job: CronJob | undefined): Draft {
  if (!job) {
    const minutes = String(DEFAULT_CRON_LIMIT / 60);
    const begun = { name: '', command: '', schedule: '0 3 * * *', timeZone: OWN_ZONE };
    return { ...begun, minutes, enabled: true, catchUp: false };
  }
  return { ...job, minutes: String(Math.ceil(job.timeLimit / 60)) };
}

/** Makes a cron job, or changes one. */
export function JobDialog({ projectId, job, onClose }: JobDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(job));
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const save = useSave(projectId, job, onClose);
  const { name, command, schedule, timeZone, enabled, catchUp } = draft;
  const timeLimit = secondsOf(draft.minutes, MAX_CRON_LIMIT);
  return (
    <FormDialog
      title={job ? 'Edit cron job' : 'New cron job'}
      description="Runs a command in the live app's environment on a schedule. A run never starts while the one before is in progress."
      wide
      label={job ? 'Save changes' : 'Create cron job'}
      ready={name.trim() !== '' && command.trim() !== '' && schedule.trim() !== '' && timeLimit !== undefined}
      action={save}
      onSubmit={() =>
        timeLimit && save.run({ name, command, schedule, timeZone, timeLimit, enabled, catchUp })
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <JobFields draft={draft} change={change} fields={save.fields} />
      </div>
    </FormDialog>
  );
}

type JobInput = Omit<Draft, 'minutes'> & { timeLimit: number };

/** One write or the other, by whether there is a job already. */
function useSave(
  projectId: string,
  job: CronJob | undefined,
  onClose: () => void,
): Omit<Action<JobInput>, 'reset' | 'button'> {
  const utils = trpc.useUtils();
  const options = { refresh: [utils.appRuns.jobs], serverSpeaks: true, leave: onClose };
  const create = useAction(trpc.appRuns.createJob.useMutation(), {
    ...{ ...options, success: 'Cron job created', failure: 'Failed to create the cron job' },
  });
  const update = useAction(trpc.appRuns.updateJob.useMutation(), {
    ...{ ...options, success: 'Cron job saved', failure: 'Failed to save the cron job' },
  });
  const { pending, fields, refusal, forbidden } = job ? update : create;
  const run = (input: JobInput) =>
    job ? update.run({ ...input, id: job.id }) : create.run({ ...input, id: projectId });
  return { run, pending, fields, refusal, forbidden };
}

interface JobFieldsProps {
  draft: Draft;
  change: (changed: Partial<Draft>) => void;
  fields: Action<JobInput>['fields'];
}

function JobFields({ draft, change, fields }: JobFieldsProps) {
  return (
    <>
      <Field label="Name" required error={fields.name}>
        <Input
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          maxLength={100}
          placeholder="Nightly cleanup"
          autoComplete="off"
        />
      </Field>
      <Field label="Command" required error={fields.command} hint="As you would type it in a shell.">
        <Input
          value={draft.command}
          onChange={(event) => change({ command: event.target.value })}
          maxLength={COMMAND_MAX}
          placeholder="node scripts/cleanup.js"
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <ScheduleFields schedule={draft.schedule} timeZone={draft.timeZone} onChange={change} fields={fields} />
      <MinutesField
        value={draft.minutes}
        onChange={(minutes) => change({ minutes })}
        most={MAX_CRON_LIMIT}
        error={fields.timeLimit}
      />
      <Field
        label="Make up for a missed run"
        hint="After the server was down, runs the latest missed run once."
      >
        <Switch checked={draft.catchUp} onCheckedChange={(catchUp) => change({ catchUp })} />
      </Field>
      <Field label="Enabled" hint="Turn it off to pause the schedule. You can still run it by hand.">
        <Switch checked={draft.enabled} onCheckedChange={(enabled) => change({ enabled })} />
      </Field>
    </>
  );
}
