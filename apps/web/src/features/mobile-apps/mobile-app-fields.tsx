import { DEPLOYMENT_METHODS, MOBILE_PLATFORMS } from '@nephos/contracts/constants';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import { METHOD_NAMES } from './method-names.ts';
import type { DraftFieldsProps, MobileAppDraft } from './mobile-app-draft.ts';
import { PLATFORM_NAMES, runsOn } from './platform.tsx';
import { AndroidFields, IosFields, RepositoryFields, VersionFields } from './setting-fields.tsx';

const PLATFORMS = MOBILE_PLATFORMS.map((value) => ({ value, label: PLATFORM_NAMES[value] }));
const METHODS = DEPLOYMENT_METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }));

const METHOD_HINTS: Record<MobileAppDraft['deploymentMethod'], string> = {
  manual: 'You build and upload by hand, step by step.',
  github: 'GitHub Actions builds what is in a repository.',
  local: 'You build and run it on your own computer.',
};

/** What a new mobile app is asked for; only what its platform and its deployment method need. */
export function MobileAppFields({ draft, errors }: DraftFieldsProps) {
  const { values, set } = draft;
  return (
    <>
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
      <Field
        label="Bundle ID"
        required
        error={errors.bundleId}
        hint="Reverse-domain format. It cannot change after publishing."
      >
        <PlainInput
          value={values.bundleId}
          onChange={(event) => set('bundleId', event.target.value)}
          placeholder="com.example.app"
        />
      </Field>
      <VersionFields draft={draft} errors={errors} />
      {runsOn(values.platform, 'android') && <AndroidFields draft={draft} errors={errors} />}
      <div className="grid gap-4 sm:grid-cols-2">
        {runsOn(values.platform, 'ios') && <IosFields draft={draft} errors={errors} />}
        <MethodField draft={draft} errors={errors} />
      </div>
      {values.deploymentMethod === 'github' && <RepositoryFields draft={draft} errors={errors} />}
    </>
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
