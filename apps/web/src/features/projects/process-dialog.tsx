import type { AppProcess, ProcessSettings, Project } from '@nephos/contracts';
import { DEFAULT_MEMORY, DEFAULT_TASKS, MAX_INSTANCES, MAX_MEMORY } from '@nephos/contracts/constants';
import { useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { textOfNumber, typedNumber } from '../../lib/typed-number.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { isSame, plainProcess, WEB, withProcess } from './process-settings.ts';

export interface ProcessDialogProps {
  project: Project;
  /** Absent: a worker is added. */
  process: AppProcess | undefined;
  /** Names that are taken. */
  names: readonly string[];
  hasDisk: boolean;
  onClose: () => void;
}

/** Changes a process of an app, or adds a worker. */
export function ProcessDialog({ project, process, names, hasDisk, onClose }: ProcessDialogProps) {
  const { draft, errors, save, submit } = useProcessForm({ project, process, names, onClose });
  const { name, command } = draft.values;
  const found = project.detected?.processes.some(isSame(name)) || process?.source === 'repository';
  const inRepository = process !== undefined && (found || name === WEB);
  return (
    <FormDialog
      title={process ? `Edit ${process.name}` : 'Add worker'}
      description={process ? undefined : 'A worker runs in the background, with the same code and variables.'}
      label={process ? 'Save' : 'Add worker'}
      ready={draft.changed && name.trim() !== '' && (inRepository || command.trim() !== '')}
      action={save}
      onSubmit={submit}
      onClose={onClose}
    >
      {!process && (
        <Field label="Name" required error={errors.name}>
          <Input
            value={name}
            onChange={(event) => draft.set('name', event.target.value)}
            placeholder="worker"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
      )}
      <Field
        label="Command"
        required={!inRepository}
        error={errors.command}
        hint={inRepository && 'Leave blank to use the command from the repository.'}
      >
        <Input
          value={command}
          onChange={(event) => draft.set('command', event.target.value)}
          placeholder="node worker.js"
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <LimitFields draft={draft} errors={errors} hasDisk={hasDisk} />
    </FormDialog>
  );
}

interface ProcessDraft {
  name: string;
  command: string;
  /** Numbers as typed; '' is the default. */
  instances: string;
  memory: string;
  cpu: string;
  tasks: string;
}

interface LimitFieldsProps {
  draft: Pick<Draft<ProcessDraft>, 'values' | 'set'>;
  errors: FieldErrors;
  hasDisk: boolean;
}

function LimitFields({ draft: { values, set }, errors, hasDisk }: LimitFieldsProps) {
  const number = (field: 'instances' | 'memory' | 'cpu' | 'tasks', placeholder: string, bounds: object) => (
    <Input
      type="number"
      inputMode="numeric"
      value={values[field]}
      onChange={(event) => set(field, event.target.value)}
      placeholder={placeholder}
      {...bounds}
    />
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Instances"
        error={errors.instances}
        hint={hasDisk ? 'A project with a disk runs one.' : `1 to ${MAX_INSTANCES}`}
      >
        {number('instances', '1', { min: 1, max: MAX_INSTANCES, disabled: hasDisk })}
      </Field>
      <Field label="Memory (MB)" error={errors.memory} hint="Per instance">
        {number('memory', String(DEFAULT_MEMORY), { min: 64, max: MAX_MEMORY })}
      </Field>
      <Field label="CPU (% of a core)" error={errors.cpu} hint="Per instance. Leave blank for no limit.">
        {number('cpu', 'No limit', { min: 5 })}
      </Field>
      <Field label="Processes and threads" error={errors.tasks} hint="Per instance">
        {number('tasks', String(DEFAULT_TASKS), { min: 16, max: 4096 })}
      </Field>
    </div>
  );
}

function useProcessForm({
  project,
  process,
  names,
  onClose,
}: Pick<ProcessDialogProps, 'project' | 'process' | 'names' | 'onClose'>) {
  const utils = trpc.useUtils();
  const [isTaken, setTaken] = useState(false);
  const { settings } = project;
  const before = settings.processes.find(isSame(process?.name ?? '')) ?? plainProcess(process?.name ?? '');
  const command = before.name === WEB ? settings.startCommand || before.command : before.command;
  const draft = useDraft<ProcessDraft>({ ...before, command, ...typed(before) });
  const changed = settingsOf(draft.values);
  const isWeb = changed.name === WEB && process !== undefined;
  const processes = withProcess(settings.processes, isWeb ? { ...changed, command: '' } : changed);
  const save = useAction(trpc.projects.update.useMutation(), {
    success: process ? 'Process saved' : 'Worker added',
    failure: process ? 'Failed to save the process' : 'Failed to add the worker',
    serverSpeaks: true,
    refresh: [utils.processes.list, utils.projects.list],
    onDone: (saved) => utils.projects.get.setData({ id: saved.id }, saved),
    leave: onClose,
  });
  return {
    draft,
    save,
    errors: errorsOf(save.fields, processes.findIndex(isSame(changed.name)), isTaken),
    submit() {
      const taken = !process && names.includes(changed.name);
      setTaken(taken);
      if (taken) return;
      // The command of `web` is the start command, which the settings page shows as well.
      save.run({
        id: project.id,
        settings: { processes, ...(isWeb && { startCommand: changed.command }) },
      });
    },
  };
}

function typed({ instances, memory, cpu, tasks }: ProcessSettings) {
  return {
    instances: textOfNumber(instances),
    memory: textOfNumber(memory),
    cpu: textOfNumber(cpu),
    tasks: textOfNumber(tasks),
  };
}

function settingsOf({ name, command, ...numbers }: ProcessDraft): ProcessSettings {
  return {
    ...{ name: name.trim(), command: command.trim() },
    instances: typedNumber(numbers.instances),
    memory: typedNumber(numbers.memory),
    cpu: typedNumber(numbers.cpu),
    tasks: typedNumber(numbers.tasks),
  };
}

/** What the server found wrong with the process at this place of the list, by its own fields. */
function errorsOf(fields: FieldErrors, index: number, isTaken: boolean): FieldErrors {
  const prefix = `settings.processes.${index}.`;
  const own = Object.entries(fields)
    .filter(([path]) => path.startsWith(prefix))
    .map(([path, message]) => [path.slice(prefix.length), message]);
  const command = fields['settings.startCommand'];
  return {
    ...Object.fromEntries(own),
    ...(command && { command }),
    ...(isTaken && { name: 'This project already has a process with this name.' }),
  };
}
