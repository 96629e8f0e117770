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
import { instantsShowing, localInput, offsetAt } from './local-time.ts';

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
  const [moment, setMoment] = useState(() => latestOf(past));
  const done = past.backups.filter(({ status }) => status === 'done');
  const [backupId, setBackupId] = useState(done[0]?.id ?? '');
  const restore = useRestore('Failed to restore the database', onClose);
  const { at, fault } = readMoment(moment, past);
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
          moment={moment}
          onChange={setMoment}
          at={at}
          error={restore.fields.at ?? fault}
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

/** As it is typed. */
interface Moment {
  /** What the clocks here show. */
  text: string;
  /** Which one it is, where they show it twice. */
  isSecond: boolean;
}

/** The last moment that is kept. */
function latestOf({ until }: DatabasePast): Moment {
  if (!until) return { text: '', isSecond: false };
  const text = localInput(until);
  const [first] = instantsShowing(text);
  return { text, isSecond: first !== undefined && first !== wholeSecond(Date.parse(until)) };
}

const wholeSecond = (time: number) => time - (time % 1000);

const OUT_OF_REACH = 'Choose a moment that is kept.';
const SKIPPED = 'The clocks go forward and skip this time.';

/** The instant, which stands for what is kept of its second, or what is wrong with it. */
function readMoment(
  { text, isSecond }: Moment,
  { from, until }: DatabasePast,
): { at?: string; fault?: string } {
  const time = instantsShowing(text).at(isSecond ? -1 : 0);
  if (text !== '' && time === undefined) return { fault: SKIPPED };
  if (time === undefined || !from || !until) return { fault: OUT_OF_REACH };
  const [first, last] = [Date.parse(from), Date.parse(until)];
  if (time < wholeSecond(first) || time > last) return { fault: OUT_OF_REACH };
  return { at: new Date(time === wholeSecond(last) ? last : Math.max(time, first)).toISOString() };
}

interface MomentFieldProps {
  past: DatabasePast;
  moment: Moment;
  onChange: (moment: Moment) => void;
  at: string | undefined;
  error: string | undefined;
}

function MomentField({ past: { from, until }, moment, onChange, at, error }: MomentFieldProps) {
  const span = from && until ? `From ${formatInstant(from)} to ${formatInstant(until)}` : '';
  const zone = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
  const times = instantsShowing(moment.text);
  return (
    <>
      <Field
        label="Date and time"
        required
        hint={`${span}, in your time zone (${zone}).${at ? ` Chosen: ${at.slice(0, 19).replace('T', ' ')} UTC.` : ''}`}
        error={error && `${error} ${span}.`}
      >
        <Input
          type="datetime-local"
          step={1}
          min={from ? localInput(from) : undefined}
          max={until ? localInput(until) : undefined}
          value={moment.text}
          onChange={({ target }) => onChange({ ...moment, text: target.value })}
        />
      </Field>
      {times.length > 1 && (
        <Field label="First or second" hint="The clocks go back, so this time comes twice.">
          <Select
            value={moment.isSecond ? 'second' : 'first'}
            onValueChange={(which) => onChange({ ...moment, isSecond: which === 'second' })}
            options={times.map((time, index) => ({
              value: index === 0 ? 'first' : 'second',
              label: `${index === 0 ? 'First' : 'Second'} (${offsetAt(time)})`,
            }))}
          />
        </Field>
      )}
    </>
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
