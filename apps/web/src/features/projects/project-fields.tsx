import type { Framework, NewProject } from '@nephos/contracts';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Textarea } from '../../ui/textarea.tsx';

/** What is typed of a project. */
export interface ProjectDraft
  extends Required<Pick<NewProject, 'name' | 'description' | 'repositoryUrl' | 'branch' | 'framework'>> {
  rootDirectory: string;
}

export interface ProjectFieldsProps {
  draft: Pick<Draft<ProjectDraft>, 'values' | 'set'>;
  errors: FieldErrors;
}

/** What a project is made of, when it is made and when it is changed. */
export function ProjectFields({ draft, errors }: ProjectFieldsProps) {
  const { values, set } = draft;
  return (
    <>
      <Field label="Name" required error={errors.name}>
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="my-app"
          autoComplete="off"
        />
      </Field>
      <Field label="Description" error={errors.description}>
        <Textarea
          value={values.description}
          onChange={(event) => set('description', event.target.value)}
          rows={2}
        />
      </Field>
      <SourceFields draft={draft} errors={errors} />
    </>
  );
}

/** What is built, and as what. */
function SourceFields({ draft: { values, set }, errors }: ProjectFieldsProps) {
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
