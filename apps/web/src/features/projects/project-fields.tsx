import type { NewProject } from '@nephos/contracts';
import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { FrameworkField } from './framework-field.tsx';

export interface ProjectFieldsProps {
  draft: Pick<Draft<Required<Omit<NewProject, 'template'>>>, 'values' | 'set'>;
  errors: FieldErrors;
}

/** What a project is made of, when it is made and when it is changed. */
export function ProjectFields({ draft: { values, set }, errors }: ProjectFieldsProps) {
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
      <Field
        label="Repository URL"
        error={errors.repositoryUrl}
        hint="An https address that Git can clone without a password."
      >
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
        <Field label="Branch" error={errors.branch}>
          <Input
            value={values.branch}
            onChange={(event) => set('branch', event.target.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
        <FrameworkField
          value={values.framework}
          onChange={(framework) => set('framework', framework)}
          error={errors.framework}
        />
      </div>
    </>
  );
}
