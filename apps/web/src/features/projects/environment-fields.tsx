import type { ManagedDatabase } from '@nephos/contracts';
import { DATABASE_VARIABLE } from '@nephos/contracts/constants';
import { useEffect, useMemo, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { EnvDropZone } from './env-drop-zone.tsx';
import type { NewProjectEnvironmentProps, ProjectEnvironment } from './new-project-environment.tsx';
import { useVariableDrafts, type VariableDrafts } from './variable-drafts.ts';
import { VariableRows } from './variable-rows.tsx';

const NONE = 'none';
const NEW = 'new';

interface Chosen {
  /** `NONE`, `NEW`, or an id. */
  database: string;
  /** Of a new one; null: the project's. */
  databaseName: string | null;
}

export function EnvironmentFields({ name, onChange, errors }: NewProjectEnvironmentProps) {
  const rows = useVariableDrafts(errors);
  const [chosen, setChosen] = useState<Chosen>({ database: NONE, databaseName: null });
  const change = (part: Partial<Chosen>) => setChosen((before) => ({ ...before, ...part }));
  // A new database follows the project's name until it has one of its own.
  const newName = (chosen.databaseName ?? name).trim();
  const { variables, sound } = rows;
  const environment = useMemo(
    () => environmentOf({ variables, sound }, chosen.database, newName),
    [variables, sound, chosen.database, newName],
  );
  useEffect(() => onChange(environment), [environment, onChange]);
  return (
    <EnvDropZone onText={rows.fill}>
      <div className="flex flex-col gap-4 px-3 pt-1 pb-3">
        <p className="text-muted text-sm">Paste or drop the contents of an .env file to fill the rows.</p>
        <VariableRows rows={rows} />
        {errors.variables && <Notice tone="danger" title={errors.variables} />}
        <DatabaseFields name={name} chosen={chosen} onChange={change} errors={errors} />
      </div>
    </EnvDropZone>
  );
}

/** What is chosen, as it is sent. */
function environmentOf(
  { variables, sound }: Pick<VariableDrafts, 'variables' | 'sound'>,
  database: string,
  newName: string,
): ProjectEnvironment {
  return {
    input: {
      ...(variables.length > 0 && { variables }),
      ...(database === NEW && { newDatabase: { name: newName } }),
      ...(database !== NEW && database !== NONE && { databaseId: database }),
    },
    ready: sound && (database !== NEW || newName !== ''),
  };
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
