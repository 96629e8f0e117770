import type { AppRun } from '@nephos/contracts';
import { COMMAND_MAX, DEFAULT_COMMAND_LIMIT, MAX_COMMAND_LIMIT } from '@nephos/contracts/constants';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { MinutesField, secondsOf } from './minutes-field.tsx';

export interface CommandDialogProps {
  projectId: string;
  onClose: () => void;
  /** Shows the run that was begun. */
  onStarted: (run: AppRun) => void;
}

/** Asks for a command to run once in the app's environment. */
export function CommandDialog({ projectId, onClose, onStarted }: CommandDialogProps) {
  const utils = trpc.useUtils();
  const [command, setCommand] = useState('');
  const [minutes, setMinutes] = useState(String(DEFAULT_COMMAND_LIMIT / 60));
  const run = useAction(trpc.appRuns.runCommand.useMutation(), {
    failure: 'Failed to run the command',
    serverSpeaks: true,
    refresh: [utils.appRuns.list],
    leave: onStarted,
  });
  const timeLimit = secondsOf(minutes, MAX_COMMAND_LIMIT);
  return (
    <FormDialog
      title="Run a command"
      description="Runs once in the folder of the live release, with the app's variables and limits."
      label="Run"
      ready={command.trim() !== '' && timeLimit !== undefined}
      action={run}
      onSubmit={() => run.run({ id: projectId, command, timeLimit })}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <Field label="Command" required error={run.fields.command} hint="As you would type it in a shell.">
          <Input
            value={command}
            onChange={(event) => setCommand(event.target.value)}
            maxLength={COMMAND_MAX}
            placeholder="npm run migrate"
            className="font-mono"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
        <MinutesField
          value={minutes}
          onChange={setMinutes}
          most={MAX_COMMAND_LIMIT}
          error={run.fields.timeLimit}
        />
      </div>
    </FormDialog>
  );
}
