import type { DatabaseBackup, DatabasePast, ManagedDatabase } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatInstant, formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useLimit } from '../../lib/use-limit.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';

const MAX_NAME = 63;

interface DialogProps {
  database: ManagedDatabase;
  onClose: () => void;
}

/** Begins a restore, and leads to the page of the new database, where its progress is shown. */
function useRestore(failure: string, onClose: () => void) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  return useAction(trpc.databaseBackups.restore.useMutation(), {
    failure,
    refresh: [utils.databases.list],
    leave: ({ id }) => {
      onClose();
      void navigate({ to: '/databases/$databaseId', params: { databaseId: id } });
    },
  });
}

const newName = (name: string, ending: string) => `${name.slice(0, MAX_NAME - ending.length)}${ending}`;

/** Brings the database back as of a moment, or of a backup, as a new one. */
export function RestoreDialog({ database, past, onClose }: DialogProps & { past: DatabasePast }) {
  const { id } = database;
  const [name, setName] = useState(newName(database.name, '-restored'));
  const [moment, setMoment] = useState(past.until ? localInput(past.until) : '');
  const done = past.backups.filter(({ status }) => status === 'done');
  const [backupId, setBackupId] = useState(done[0]?.id ?? '');
  const restore = useRestore('Failed to restore the database', onClose);
  const at = instantOf(moment, past);
  const byMoment = past.kind === 'moment';
  return (
    <FormDialog
      title="Restore database"
      description={`${database.name} stays as it is. What you restore becomes a new database.`}
      label="Restore"
      ready={name.trim() !== '' && (byMoment ? at !== undefined : backupId !== '')}
      limit={useLimit('databases')}
      action={restore}
      onSubmit={() => restore.run({ id, name, ...(byMoment ? { at: at ?? null } : { backupId }) })}
      onClose={onClose}
    >
      {byMoment ? (
        <MomentField
          past={past}
          value={moment}
          onChange={setMoment}
          error={restore.fields.at ?? (at === undefined ? OUT_OF_REACH : undefined)}
        />
      ) : (
        <BackupField backups={done} value={backupId} onChange={setBackupId} error={restore.fields.backupId} />
      )}
      <NameField value={name} onChange={setName} error={restore.fields.name} />
    </FormDialog>
  );
}

/** Makes a new database of what is in this one now. */
export function CopyDialog({ database: { id, name: original }, onClose }: DialogProps) {
  const [name, setName] = useState(newName(original, '-copy'));
  const copy = useRestore('Failed to copy the database', onClose);
  return (
    <FormDialog
      title="Copy database"
      description={`Makes a new database with everything that is in ${original} now.`}
      label="Copy"
      ready={name.trim() !== ''}
      limit={useLimit('databases')}
      action={copy}
      onSubmit={() => copy.run({ id, name })}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} error={copy.fields.name} />
    </FormDialog>
  );
}

interface FieldProps {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

function NameField({ value, onChange, error }: FieldProps) {
  return (
    <Field label="Name of the new database" required error={error}>
      <Input
        value={value}
        onChange={({ target }) => onChange(target.value)}
        maxLength={MAX_NAME}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}

const OUT_OF_REACH = 'Choose a moment that is kept.';

function MomentField({ past: { from, until }, value, onChange, error }: FieldProps & { past: DatabasePast }) {
  const span = from && until ? `From ${formatInstant(from)} to ${formatInstant(until)}` : '';
  const zone = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
  return (
    <Field
      label="Date and time"
      required
      hint={`${span}, in your time zone (${zone})`}
      error={error && `${error} ${span}.`}
    >
      <Input
        type="datetime-local"
        step={1}
        min={from ? localInput(from) : undefined}
        max={until ? localInput(until) : undefined}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}

function BackupField({
  backups,
  value,
  onChange,
  error,
}: FieldProps & { backups: readonly DatabaseBackup[] }) {
  return (
    <Field label="Backup" required error={error}>
      <Select
        value={value}
        onValueChange={onChange}
        options={backups.map(({ id, startedAt, size }) => ({
          value: id,
          label: `${formatInstant(startedAt)} (${formatSize(size)})`,
        }))}
      />
    </Field>
  );
}

/** An ISO instant as a field of date and time takes it, to the second. */
function localInput(instant: string): string {
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The instant of such a field, of which a part of the first second may be kept; undefined where nothing is. */
function instantOf(value: string, { from, until }: DatabasePast): string | undefined {
  const time = Date.parse(value);
  if (Number.isNaN(time) || !from || !until) return undefined;
  const [first, last] = [Date.parse(from), Date.parse(until)];
  if (time < first - (first % 1000) || time > last) return undefined;
  return new Date(Math.max(time, first)).toISOString();
}
