import type { DatabaseEngineState, ManagedDatabase } from '@nephos/contracts';
import { DATABASE_REGIONS, MAX_STORAGE_SIZE, MIN_STORAGE_SIZE } from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { TYPE_NAMES } from './type-names.ts';

const REGIONS = DATABASE_REGIONS.map((region) => ({ value: region, label: region }));

export interface DatabaseDraft extends Pick<ManagedDatabase, 'name' | 'type' | 'region'> {
  /** GB, as typed. */
  storageSize: string;
}

export interface DatabaseFieldsProps {
  draft: Draft<DatabaseDraft>;
  engines: readonly DatabaseEngineState[];
  errors: FieldErrors;
}

/** What a new database is asked for. */
export function DatabaseFields({ draft: { values, set }, engines, errors }: DatabaseFieldsProps) {
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
        <Field label="Region" error={errors.region}>
          <Select value={values.region} onValueChange={(region) => set('region', region)} options={REGIONS} />
        </Field>
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
      </div>
    </>
  );
}
