import type { Framework } from '@nephos/contracts';
import { readSshAddress } from '@nephos/contracts/constants';
import { PushCommands } from '../../lib/push-commands.tsx';
import { trpc } from '../../lib/trpc.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { DropCredentials } from './drop-credentials.tsx';
import type { SourceFieldsProps } from './source-draft.ts';

/** Where the source is, and what it is written in. */
export function RepositoryFields({ draft, errors, project }: SourceFieldsProps) {
  const { values, set } = draft;
  return (
    <>
      <Field
        label="Repository URL"
        error={errors.repositoryUrl}
        hint="HTTPS, or SSH with the deploy key that the project's settings show."
      >
        <Input
          inputMode="url"
          value={values.repositoryUrl}
          onChange={(event) => set('repositoryUrl', event.target.value)}
          placeholder="https://github.com/you/app.git"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {!readSshAddress(values.repositoryUrl.trim()) && (
        <RepositoryAccess draft={draft} errors={errors} project={project} />
      )}
      <ContentFields draft={draft} errors={errors} project={project} />
    </>
  );
}

/** The same for a project that is pushed to. A new one deploys the branch that is pushed first. */
export function PushFields({ draft, errors, project }: SourceFieldsProps) {
  return (
    <>
      {project?.pushUrl ? (
        <PushCommands url={project.pushUrl} />
      ) : (
        <p className="text-muted text-sm">
          {project
            ? 'Save, then push to it from your local computer.'
            : "Create the project, then push to it from your local computer. The project's page shows the commands."}
        </p>
      )}
      <ContentFields draft={draft} errors={errors} project={project} hasBranch={project !== undefined} />
    </>
  );
}

/** Which branch and folder, and what it is written in. */
function ContentFields({
  draft: { values, set },
  errors,
  hasBranch = true,
}: SourceFieldsProps & { hasBranch?: boolean }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {hasBranch && (
          <Field label="Branch" error={errors.branch} hint="Leave blank for the default branch.">
            <PlainInput
              value={values.branch}
              onChange={(event) => set('branch', event.target.value)}
              placeholder="Default branch"
            />
          </Field>
        )}
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

/** How to read a private repository. */
function RepositoryAccess({ draft: { values, set }, errors, project }: SourceFieldsProps) {
  const isStored = project?.hasRepositoryToken === true;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Access token"
          error={errors.repositoryToken}
          hint={
            isStored
              ? "Saved for this Git host. It won't be used for another one."
              : 'For a private repository: read access is enough. If it can also write commit statuses, your Git host shows deployments.'
          }
        >
          <PlainInput
            type="password"
            autoComplete="new-password"
            value={values.repositoryToken}
            onChange={(event) => set('repositoryToken', event.target.value)}
          />
        </Field>
        <Field
          label="Username"
          error={errors.repositoryUsername}
          hint="Leave blank unless your Git host asks for one. For Bitbucket: x-token-auth."
        >
          <PlainInput
            value={values.repositoryUsername}
            onChange={(event) => set('repositoryUsername', event.target.value)}
          />
        </Field>
      </div>
      {isStored && <DropCredentials draft={{ values, set }} label="Remove the saved access token" />}
    </>
  );
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
