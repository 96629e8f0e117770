import type { DatabaseEngineState, ManagedDatabase } from '@nephos/contracts';
import {
  DATABASE_REGIONS,
  DEFAULT_DATABASE_REGION,
  DEFAULT_DATABASE_TYPE,
  DEFAULT_STORAGE_SIZE,
  MAX_STORAGE_SIZE,
  MIN_STORAGE_SIZE,
} from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { useLimit } from '../../lib/use-limit.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { REGION_HINT, TYPE_NAMES } from './database-words.tsx';

/** The default type, or else the first that this server can make. */
function firstType(engines: readonly DatabaseEngineState[]) {
  const possible = engines.filter(({ available }) => available).map(({ type }) => type);
  return possible.includes(DEFAULT_DATABASE_TYPE)
    ? DEFAULT_DATABASE_TYPE
    : (possible[0] ?? DEFAULT_DATABASE_TYPE);
}

export function NewDatabaseDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  // Asked again at each opening: a database server may have come or gone since.
  const [engines] = trpc.databases.engines.useSuspenseQuery(undefined, { staleTime: 0 });
  const draft = useDraft<DatabaseDraft>({
    name: '',
    type: firstType(engines),
    region: DEFAULT_DATABASE_REGION,
    storageSize: String(DEFAULT_STORAGE_SIZE),
  });
  const create = useAction(trpc.databases.create.useMutation(), {
    success: 'Database created successfully',
    failure: 'Failed to create database',
    refresh: [utils.databases.list],
    leave: onClose,
  });
  const { storageSize, ...asked } = draft.values;
  const { name, type } = asked;
  const possible = engines.some((engine) => engine.type === type && engine.available);

  return (
    <FormDialog
      title="New Database"
      description="Comes with its own user and password, ready in seconds."
      label="Create"
      ready={name.trim() !== '' && possible}
      limit={useLimit('databases')}
      action={create}
      onSubmit={() => create.run(type === 'redis' ? asked : { ...asked, storageSize: Number(storageSize) })}
      onClose={onClose}
    >
      <DatabaseFields draft={draft} engines={engines} errors={create.fields} />
    </FormDialog>
  );
}

const REGIONS = DATABASE_REGIONS.map((region) => ({ value: region, label: region }));

interface DatabaseDraft extends Pick<ManagedDatabase, 'name' | 'type' | 'region'> {
  /** GB, as typed. */
  storageSize: string;
}

interface DatabaseFieldsProps {
  draft: Draft<DatabaseDraft>;
  engines: readonly DatabaseEngineState[];
  errors: FieldErrors;
}

/** What a new database is asked for. */
function DatabaseFields({ draft: { values, set }, engines, errors }: DatabaseFieldsProps) {
  return (
    <>
      <Field label="Name" required error={errors.name}>
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="orders"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <ChoiceField
        label="Type"
        value={values.type}
        onChange={(type) => set('type', type)}
        choices={engines.map(({ type, ...state }) => ({ value: type, name: TYPE_NAMES[type], ...state }))}
        error={errors.type}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Region" error={errors.region} hint={REGION_HINT}>
          <Select value={values.region} onValueChange={(region) => set('region', region)} options={REGIONS} />
        </Field>
        {values.type !== 'redis' && (
          <Field label="Storage (GB)" error={errors.storageSize} hint={`At least ${MIN_STORAGE_SIZE} GB`}>
            <Input
              type="number"
              inputMode="numeric"
              min={MIN_STORAGE_SIZE}
              max={MAX_STORAGE_SIZE}
              value={values.storageSize}
              onChange={(event) => set('storageSize', event.target.value)}
            />
          </Field>
        )}
      </div>
    </>
  );
}
