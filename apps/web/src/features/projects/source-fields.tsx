import { readImageName, TEMPLATE_NAMES, versionedName } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { useUser } from '../../lib/use-user.ts';
import { type Choice, ChoiceField } from '../../ui/choice-field.tsx';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import { DropCredentials } from './drop-credentials.tsx';
import { PushFields, RepositoryFields } from './repository-fields.tsx';
import type { Source, SourceFieldsProps, Template } from './source-draft.ts';

/** What is deployed, and as what. */
export function SourceFields({ draft, errors, project }: SourceFieldsProps) {
  const { values, set } = draft;
  const [containers] = trpc.projects.containerRuntime.useSuspenseQuery();
  const choices: Choice<Source>[] = [
    { value: 'repository', name: 'Repository', available: true, reason: '' },
    { value: 'push', name: 'Git push', available: true, reason: '' },
    { value: 'image', name: 'Image', ...containers },
    { value: 'template', name: 'Template', available: true, reason: '' },
    { value: 'app', name: 'Marketplace', available: true, reason: '' },
  ];
  const { role } = useUser();
  const isOffered = ({ value, available }: Choice<Source>) => {
    if (value === 'app') return Boolean(project?.recipe);
    if (value === 'push') return !project?.recipe;
    if (value === 'template') return project === undefined || project.template !== null;
    // What a server lacks is for those who can change it.
    return available || role === 'admin' || value === values.source;
  };
  return (
    <>
      <ChoiceField
        label="Source"
        value={values.source}
        onChange={(source) => set('source', source)}
        choices={choices.filter(isOffered)}
        error={undefined}
      />
      {values.source === 'repository' && <RepositoryFields draft={draft} errors={errors} project={project} />}
      {values.source === 'push' && <PushFields draft={draft} errors={errors} project={project} />}
      {values.source === 'image' && <ImageFields draft={draft} errors={errors} project={project} />}
      {values.source === 'app' && project?.recipe && (
        <Field label="App" hint="Upgrades are on the Marketplace page.">
          <PlainInput value={versionedName(project.recipe)} readOnly />
        </Field>
      )}
      {values.source === 'template' && (
        <Field label="Template" error={errors.template}>
          <Select
            value={values.template}
            onValueChange={(template) => set('template', template)}
            options={Object.entries(TEMPLATE_NAMES).map(([value, label]) => ({
              // The keys of what the contract lists templates by.
              value: value as Template,
              label,
            }))}
            disabled={project !== undefined}
          />
        </Field>
      )}
    </>
  );
}

function ImageFields({ draft: { values, set }, errors, project }: SourceFieldsProps) {
  const { data: registry } = trpc.containers.registry.useQuery();
  const isStored = project?.hasImageCredentials === true;
  const hint = isStored ? savedHint(project.image, values.image) : undefined;
  return (
    <>
      <Field
        label="Image"
        required
        error={errors.image}
        hint="From Docker Hub, another registry or this one. A push to its tag in this registry deploys it."
      >
        <PlainInput
          value={values.image}
          onChange={(event) => set('image', event.target.value)}
          placeholder={`${registry?.host ?? 'registry.example.com'}/you/app:latest`}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Registry username"
          error={errors.imageUsername}
          hint={hint ?? "Only for another registry's private images."}
        >
          <PlainInput
            value={values.imageUsername}
            onChange={(event) => set('imageUsername', event.target.value)}
          />
        </Field>
        <Field
          label="Registry password"
          error={errors.imagePassword}
          hint={hint === undefined && 'Or an access token.'}
        >
          <PlainInput
            type="password"
            autoComplete="new-password"
            value={values.imagePassword}
            onChange={(event) => set('imagePassword', event.target.value)}
          />
        </Field>
      </div>
      {isStored && <DropCredentials draft={{ values, set }} label="Remove the saved username and password" />}
    </>
  );
}

/** Of stored credentials, which are for the registry of the image that is stored. */
function savedHint(stored: string, typed: string): string {
  const host = readImageName(stored)?.host;
  const isSame = [undefined, host].includes(readImageName(typed)?.host);
  return isSame
    ? 'Saved. To replace it, enter both.'
    : `Saved for ${host}. It won't be used for another registry.`;
}
