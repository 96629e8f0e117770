import type { NewProject } from '@nephos/contracts';
import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import type { SourceDraft, SourceFieldsProps } from './source-draft.ts';
import { SourceFields } from './source-fields.tsx';

/** What is typed of a project. */
export interface ProjectDraft extends Required<Pick<NewProject, 'name' | 'description'>>, SourceDraft {}

export interface ProjectFieldsProps extends Pick<SourceFieldsProps, 'project'> {
  draft: Pick<Draft<ProjectDraft>, 'values' | 'set'>;
  errors: FieldErrors;
}

/** What a project is made of, when it is made and when it is changed. */
export function ProjectFields({ draft, errors, project }: ProjectFieldsProps) {
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
      <SourceFields draft={draft} errors={errors} project={project} />
    </>
  );
}
