import { DEPLOYMENT_METHODS, MOBILE_PLATFORMS } from '@nephos/contracts/constants';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import type { DraftFieldsProps, MobileAppDraft } from './mobile-app-draft.ts';
import { METHOD_NAMES, PLATFORM_NAMES, runsOn } from './mobile-app-words.tsx';
import { AndroidFields, IosFields, RepositoryFields, VersionFields } from './setting-fields.tsx';

const PLATFORMS = MOBILE_PLATFORMS.map((value) => ({ value, label: PLATFORM_NAMES[value] }));
const METHODS = DEPLOYMENT_METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }));

const METHOD_HINTS: Record<MobileAppDraft['deploymentMethod'], string> = {
  manual: 'Build and upload it yourself, step by step.',
  github: 'GitHub Actions builds it from a repository.',
  local: 'Build and run it on your own computer.',
};

interface MobileAppFieldsProps extends DraftFieldsProps {
  /** Of an app that is edited: the number of its last build. */
  lastBuild?: number;
}

/** The settings of a mobile app; only what its platform and its deployment method need. */
export function MobileAppFields({ draft, errors, lastBuild }: MobileAppFieldsProps) {
  const { values, set } = draft;
  return (
    <>
      <NameAndPlatform draft={draft} errors={errors} />
      <Field
        label="Bundle ID"
        required
        error={errors.bundleId}
        hint="Reverse-domain format. Can't change after publishing."
      >
        <PlainInput
          value={values.bundleId}
          onChange={(event) => set('bundleId', event.target.value)}
          placeholder="com.example.app"
        />
      </Field>
      <VersionFields draft={draft} errors={errors} lastBuild={lastBuild} />
      {runsOn(values.platform, 'android') && <AndroidFields draft={draft} errors={errors} />}
      <div className="grid gap-4 sm:grid-cols-2">
        {runsOn(values.platform, 'ios') && <IosFields draft={draft} errors={errors} />}
        <MethodField draft={draft} errors={errors} />
      </div>
      {values.deploymentMethod === 'github' && <RepositoryFields draft={draft} errors={errors} />}
    </>
  );
}

function NameAndPlatform({ draft: { values, set }, errors }: DraftFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name" required error={errors.name}>
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="Pocket weather"
          autoComplete="off"
        />
      </Field>
      <Field label="Platform" error={errors.platform}>
        <Select
          value={values.platform}
          onValueChange={(platform) => set('platform', platform)}
          options={PLATFORMS}
        />
      </Field>
    </div>
  );
}

function MethodField({ draft: { values, set }, errors }: DraftFieldsProps) {
  return (
    <Field
      label="Deployment method"
      error={errors.deploymentMethod}
      hint={METHOD_HINTS[values.deploymentMethod]}
    >
      <Select
        value={values.deploymentMethod}
        onValueChange={(method) => set('deploymentMethod', method)}
        options={METHODS}
      />
    </Field>
  );
}
