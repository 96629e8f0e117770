import { DEPLOYMENT_METHODS, MOBILE_PLATFORMS } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import {
  type DraftFieldsProps,
  inputOf,
  isComplete,
  type MobileAppDraft,
  NEW_MOBILE_APP,
} from './mobile-app-draft.ts';
import { METHOD_NAMES, PLATFORM_NAMES, runsOn } from './mobile-app-words.tsx';
import { AndroidFields, IosFields, RepositoryFields, VersionFields } from './setting-fields.tsx';

export function NewMobileAppDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const draft = useDraft(NEW_MOBILE_APP);
  const create = useAction(trpc.mobileApps.create.useMutation(), {
    success: 'Mobile app created successfully',
    failure: 'Failed to create mobile app',
    refresh: [utils.mobileApps.list],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="New Mobile App"
      description="Its build configuration is generated from these settings, in a second step."
      wide
      label="Create"
      ready={isComplete(draft.values)}
      action={create}
      onSubmit={() => create.run(inputOf(draft.values))}
      onClose={onClose}
    >
      <MobileAppFields draft={draft} errors={create.fields} />
    </FormDialog>
  );
}

const PLATFORMS = MOBILE_PLATFORMS.map((value) => ({ value, label: PLATFORM_NAMES[value] }));
const METHODS = DEPLOYMENT_METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }));

const METHOD_HINTS: Record<MobileAppDraft['deploymentMethod'], string> = {
  manual: 'You build and upload by hand, step by step.',
  github: 'GitHub Actions builds what is in a repository.',
  local: 'You build and run it on your own computer.',
};

/** What a new mobile app is asked for; only what its platform and its deployment method need. */
function MobileAppFields({ draft, errors }: DraftFieldsProps) {
  const { values, set } = draft;
  return (
    <>
      <NameAndPlatform draft={draft} errors={errors} />
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
