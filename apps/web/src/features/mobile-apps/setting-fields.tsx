import {
  MAX_ANDROID_SDK,
  MAX_BUILD_NUMBER,
  MIN_ANDROID_SDK,
  PLAY_TARGET_SDK,
} from '@nephos/contracts/constants';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import type { DraftFieldsProps, MobileAppDraft } from './mobile-app-draft.ts';

interface NumberFieldProps extends DraftFieldsProps {
  label: string;
  field: keyof Pick<MobileAppDraft, 'buildNumber' | 'androidMinSdk' | 'androidTargetSdk'>;
  min: number;
  max: number;
  hint?: ReactNode;
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

interface SuggestionProps {
  /** What it is good for, in a sentence. */
  children: ReactNode;
  value: number;
  onUse: (value: string) => void;
}

/** A hint with a value that one click takes. */
function Suggestion({ children, value, onUse }: SuggestionProps) {
  return (
    <>
      {children}{' '}
      <button
        type="button"
        onClick={() => onUse(String(value))}
        className="rounded-sm font-medium text-accent-text underline underline-offset-4"
      >
        Use {value}
      </button>
    </>
  );
}

interface VersionFieldsProps extends DraftFieldsProps {
  lastBuild?: number | undefined;
}

export function VersionFields({ draft, errors, lastBuild }: VersionFieldsProps) {
  const rule = 'Must increase with every store upload.';
  const isRaised = lastBuild === undefined || Number(draft.values.buildNumber) > lastBuild;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Version" error={errors.version} hint="Three numbers, like 1.0.0">
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
        hint={
          isRaised || lastBuild === MAX_BUILD_NUMBER ? (
            rule
          ) : (
            <Suggestion value={lastBuild + 1} onUse={(next) => draft.set('buildNumber', next)}>
              {rule}
            </Suggestion>
          )
        }
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
        hint={
          Number(draft.values.androidTargetSdk) < PLAY_TARGET_SDK && (
            <Suggestion value={PLAY_TARGET_SDK} onUse={(target) => draft.set('androidTargetSdk', target)}>
              <TriangleAlert aria-hidden="true" className="-mt-0.5 inline size-3.5 text-warning" /> Google
              Play requires {PLAY_TARGET_SDK} or later.
            </Suggestion>
          )
        }
      />
    </div>
  );
}

export function IosFields({ draft: { values, set }, errors }: DraftFieldsProps) {
  return (
    <Field
      label="iOS team ID"
      error={errors.iosTeamId}
      hint="Optional. 10 characters, from your Apple Developer membership page."
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
