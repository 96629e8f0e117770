import type { ManagedDatabase } from '@nephos/contracts';
import { DATABASE_VARIABLE } from '@nephos/contracts/constants';
import { useEffect, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { EnvDropZone } from './env-drop-zone.tsx';
import { Remarks } from './import-dialog.tsx';
import type { NewProjectEnvironmentProps, ProjectEnvironment } from './new-project-environment.tsx';
import { type EnvVariable, parseEnv } from './parse-env.ts';

const NONE = 'none';
const NEW = 'new';

interface Chosen {
  text: string;
  /** `NONE`, `NEW`, or an id. */
  database: string;
  /** Of a new one; null: the project's. */
  databaseName: string | null;
}

/** What is chosen, as it is sent. */
function environmentOf({ text, database, databaseName }: Chosen, name: string): ProjectEnvironment {
  const { variables, errors } = parseEnv(text);
  const newName = (databaseName ?? name).trim();
  return {
    input: {
      ...(variables.length > 0 && { variables }),
      ...(database === NEW && { newDatabase: { name: newName } }),
      ...(database !== NEW && database !== NONE && { databaseId: database }),
    },
    ready: errors.length === 0 && (database !== NEW || newName !== ''),
  };
}

export function EnvironmentFields({ name, onChange, errors }: NewProjectEnvironmentProps) {
  const [chosen, setChosen] = useState<Chosen>({ text: '', database: NONE, databaseName: null });
  const change = (part: Partial<Chosen>) => setChosen((before) => ({ ...before, ...part }));
  // A new database follows the project's name until it has one of its own.
  useEffect(() => onChange(environmentOf(chosen, name)), [chosen, name, onChange]);
  const parsed = parseEnv(chosen.text);
  return (
    <div className="flex flex-col gap-4 px-3 pt-1 pb-3">
      <EnvDropZone onText={(text) => change({ text: joined(chosen.text, text) })}>
        <Field label="Environment variables" hint="NAME=value lines. Paste or drop an .env file.">
          <Textarea
            value={chosen.text}
            onChange={(event) => change({ text: event.target.value })}
            rows={4}
            placeholder="API_KEY=abc123"
            className="font-mono"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
      </EnvDropZone>
      <Remarks tone="danger" title="Fix these lines to continue" remarks={parsed.errors} />
      <Remarks tone="warning" title="Check these lines" remarks={parsed.warnings} />
      <Refused errors={errors} variables={parsed.variables} />
      <DatabaseFields name={name} chosen={chosen} onChange={change} errors={errors} />
    </div>
  );
}

function joined(before: string, text: string): string {
  return before.trim() === '' ? text : `${before.trimEnd()}\n${text}`;
}

/** What the server found wrong with single variables. */
function Refused({ errors, variables }: { errors: FieldErrors; variables: readonly EnvVariable[] }) {
  const faults = Object.entries(errors).flatMap(([path, message]) => {
    const [, index] = /^variables(?:\.(\d+))?/.exec(path) ?? [];
    const name = variables[Number(index)]?.name;
    return path.startsWith('variables') ? [name ? `${name}: ${message}` : message] : [];
  });
  if (faults.length === 0) return null;
  return (
    <Notice tone="danger" title="Some variables can't be saved">
      {faults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </Notice>
  );
}

interface DatabaseFieldsProps {
  name: string;
  chosen: Chosen;
  onChange: (part: Partial<Chosen>) => void;
  errors: FieldErrors;
}

function DatabaseFields({ name, chosen, onChange, errors }: DatabaseFieldsProps) {
  const databases = trpc.databases.list.useQuery({});
  const engines = trpc.databases.engines.useQuery();
  const postgres = engines.data?.find(({ type }) => type === 'postgresql');
  const options = [
    { value: NONE, label: 'None' },
    { value: NEW, label: labelOfNew(postgres?.reason), disabled: postgres?.available === false },
    ...(databases.data ?? []).map((database) => ({ value: database.id, label: labelOf(database) })),
  ];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Database"
        error={errors.databaseId ?? (databases.isError ? 'Your databases could not be loaded.' : undefined)}
        hint={`Available to the app as ${DATABASE_VARIABLE}.`}
      >
        <Select
          value={chosen.database}
          options={options}
          onValueChange={(database) => onChange({ database })}
        />
      </Field>
      {chosen.database === NEW && (
        <Field
          label="Database name"
          required
          error={errors['newDatabase.name']}
          hint="The first deployment waits for it."
        >
          <Input
            value={chosen.databaseName ?? name}
            onChange={(event) => onChange({ databaseName: event.target.value })}
            placeholder="my-database"
            autoComplete="off"
          />
        </Field>
      )}
    </div>
  );
}

function labelOfNew(reason: string | undefined): string {
  return reason ? `New PostgreSQL database: ${reason}` : 'New PostgreSQL database';
}

function labelOf({ name, status }: ManagedDatabase): string {
  return status === 'available' ? name : `${name} (${status})`;
}
