import type { Framework, NewProject, Project } from '@nephos/contracts';
import { readImageName, TEMPLATE_NAMES, versionedName } from '@nephos/contracts/constants';
import { useId } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { useUser } from '../../lib/use-user.ts';
import { type Choice, ChoiceField } from '../../ui/choice-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';

type Source = 'repository' | 'image' | 'template' | 'app';
type Template = NonNullable<NewProject['template']>;

/** What is typed of a project's source: what the other sources have stays while one is chosen. */
export interface SourceDraft extends Required<Pick<NewProject, 'repositoryUrl' | 'branch' | 'framework'>> {
  source: Source;
  image: string;
  imageUsername: string;
  imagePassword: string;
  /** Whether those that are stored shall go. */
  dropsCredentials: boolean;
  template: Template;
  rootDirectory: string;
}

export const NO_SOURCE: Omit<SourceDraft, 'branch' | 'framework'> = {
  source: 'repository',
  repositoryUrl: '',
  image: '',
  imageUsername: '',
  imagePassword: '',
  dropsCredentials: false,
  template: 'static-site',
  rootDirectory: '',
};

export function sourceDraftOf({
  repositoryUrl,
  image,
  template,
  recipe,
  branch,
  framework,
  settings,
}: Project): SourceDraft {
  const madeFrom = recipe ? 'app' : template && 'template';
  const fallback = (!repositoryUrl && madeFrom) || 'repository';
  return {
    ...NO_SOURCE,
    ...{ repositoryUrl, image, branch, framework },
    ...(template && { template }),
    source: image ? 'image' : fallback,
    rootDirectory: settings.rootDirectory,
  };
}

/** What is sent of it, but for a template or an app, which a project has from its beginning or not at all. */
export function sourceOf(draft: SourceDraft) {
  const { source, repositoryUrl, branch, framework } = draft;
  return {
    ...{ branch, framework },
    repositoryUrl: source === 'repository' ? repositoryUrl : '',
    ...(source === 'image' ? imageOf(draft) : { image: '' }),
  };
}

/** Credentials that were not typed stay as they are. */
function imageOf({ image, imageUsername, imagePassword, dropsCredentials }: SourceDraft) {
  if (imageUsername || imagePassword) return { image, imageUsername, imagePassword };
  return dropsCredentials ? { image, imageUsername: '', imagePassword: '' } : { image };
}

export interface SourceFieldsProps {
  draft: Pick<Draft<SourceDraft>, 'values' | 'set'>;
  errors: FieldErrors;
  /** The project, once there is one. */
  project?: Project;
}

/** What is deployed, and as what. */
export function SourceFields({ draft, errors, project }: SourceFieldsProps) {
  const { values, set } = draft;
  const [containers] = trpc.projects.containerRuntime.useSuspenseQuery();
  const choices: Choice<Source>[] = [
    { value: 'repository', name: 'Repository', available: true, reason: '' },
    { value: 'image', name: 'Image', ...containers },
    { value: 'template', name: 'Template', available: true, reason: '' },
    { value: 'app', name: 'Marketplace', available: true, reason: '' },
  ];
  const { role } = useUser();
  const isOffered = ({ value, available }: Choice<Source>) => {
    if (value === 'app') return Boolean(project?.recipe);
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
      {values.source === 'repository' && <RepositoryFields draft={draft} errors={errors} />}
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

function RepositoryFields({ draft: { values, set }, errors }: SourceFieldsProps) {
  return (
    <>
      <Field label="Repository URL" error={errors.repositoryUrl} hint="Must be public and use HTTPS.">
        <Input
          type="url"
          inputMode="url"
          value={values.repositoryUrl}
          onChange={(event) => set('repositoryUrl', event.target.value)}
          placeholder="https://github.com/you/app.git"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Branch" error={errors.branch} hint="Leave blank for the default branch.">
          <PlainInput
            value={values.branch}
            onChange={(event) => set('branch', event.target.value)}
            placeholder="Default branch"
          />
        </Field>
        <Field
          label="Folder"
          error={errors['settings.rootDirectory']}
          hint="Leave blank if the app is at the root."
        >
          <PlainInput
            value={values.rootDirectory}
            onChange={(event) => set('rootDirectory', event.target.value)}
            placeholder="apps/web"
          />
        </Field>
      </div>
      <FrameworkField
        value={values.framework}
        onChange={(framework) => set('framework', framework)}
        error={errors.framework}
      />
    </>
  );
}

function ImageFields({ draft: { values, set }, errors, project }: SourceFieldsProps) {
  const { data: registry } = trpc.containers.registry.useQuery();
  const id = useId();
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
      {isStored && (
        <div className="flex items-center gap-3">
          <Switch
            id={id}
            checked={values.dropsCredentials}
            onCheckedChange={(drops) => set('dropsCredentials', drops)}
          />
          <label htmlFor={id} className="text-sm">
            Remove the saved username and password
          </label>
        </div>
      )}
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

const NAMES: Record<Framework, string> = {
  nodejs: 'Node.js',
  static: 'Static site',
  python: 'Python',
};

interface FrameworkFieldProps {
  value: Framework;
  onChange: (framework: Framework) => void;
  error: string | undefined;
}

/** The choice of a framework; one that this server cannot run is shown with its reason. */
function FrameworkField(props: FrameworkFieldProps) {
  const [runtimes] = trpc.projects.runtimes.useSuspenseQuery();
  const choices = runtimes.map(({ framework, ...state }) => ({
    value: framework,
    name: NAMES[framework],
    ...state,
  }));
  return <ChoiceField label="Framework" choices={choices} {...props} />;
}
