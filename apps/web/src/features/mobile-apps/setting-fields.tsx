import { MAX_ANDROID_SDK, MAX_BUILD_NUMBER, MIN_ANDROID_SDK } from '@nephos/contracts/constants';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import type { DraftFieldsProps, MobileAppDraft } from './mobile-app-draft.ts';

interface NumberFieldProps extends DraftFieldsProps {
  label: string;
  field: keyof Pick<MobileAppDraft, 'buildNumber' | 'androidMinSdk' | 'androidTargetSdk'>;
  min: number;
  max: number;
  hint?: string;
}

function NumberField({ draft: { values, set }, errors, label, field, min, max, hint }: NumberFieldProps) {
  return (
    <Field label={label} error={errors[field]} hint={hint}>
      <Input
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        value={values[field]}
        onChange={(event) => set(field, event.target.value)}
      />
    </Field>
  );
}

export function VersionFields({ draft, errors }: DraftFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Version" error={errors.version} hint="Three numbers, like 1.0.0.">
        <PlainInput
          value={draft.values.version}
          onChange={(event) => draft.set('version', event.target.value)}
        />
      </Field>
      <NumberField
        draft={draft}
        errors={errors}
        label="Build number"
        field="buildNumber"
        min={1}
        max={MAX_BUILD_NUMBER}
        hint="Higher with each upload to a store."
      />
    </div>
  );
}

export function AndroidFields({ draft, errors }: DraftFieldsProps) {
  const bounds = { min: MIN_ANDROID_SDK, max: MAX_ANDROID_SDK };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField
        draft={draft}
        errors={errors}
        {...bounds}
        label="Android minimum SDK"
        field="androidMinSdk"
      />
      <NumberField
        draft={draft}
        errors={errors}
        {...bounds}
        label="Android target SDK"
        field="androidTargetSdk"
      />
    </div>
  );
}

export function IosFields({ draft: { values, set }, errors }: DraftFieldsProps) {
  return (
    <Field
      label="iOS team ID"
      error={errors.iosTeamId}
      hint="Optional. 10 characters, from your Apple membership."
    >
      <PlainInput
        value={values.iosTeamId}
        onChange={(event) => set('iosTeamId', event.target.value)}
        maxLength={10}
        autoCapitalize="characters"
        className="uppercase"
      />
    </Field>
  );
}

export function RepositoryFields({ draft: { values, set }, errors }: DraftFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
      <Field label="Repository URL" required error={errors.repositoryUrl}>
        <PlainInput
          type="url"
          inputMode="url"
          value={values.repositoryUrl}
          onChange={(event) => set('repositoryUrl', event.target.value)}
          placeholder="https://github.com/you/app.git"
        />
      </Field>
      <Field label="Branch" required error={errors.branch}>
        <PlainInput value={values.branch} onChange={(event) => set('branch', event.target.value)} />
      </Field>
    </div>
  );
}
