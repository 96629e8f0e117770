import { trpc } from '../../lib/trpc.ts';
import { Field } from '../../ui/field.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';

export interface ProjectFieldProps {
  /** Null: of the whole workspace. */
  projectId: string | null;
  onChange: (projectId: string | null) => void;
  error?: string | undefined;
}

/** Rows that are offered: the newest. */
const MOST = 100;
const ALL = 'all';

/** Which project's alerts, or those of all. */
export function ProjectField({ projectId, onChange, error }: ProjectFieldProps) {
  const { data, isError } = trpc.projects.list.useQuery({ limit: MOST });
  const projects = data?.map(({ id, name }): SelectOption => ({ value: id, label: name })) ?? [];
  const options = [{ value: ALL, label: 'The whole workspace' }, ...projects];
  if (projectId !== null && !projects.some(({ value }) => value === projectId)) {
    options.push({ value: projectId, label: data ? 'A project that is not listed' : 'One project' });
  }
  return (
    <Field
      label="Alerts of"
      error={error}
      hint={isError ? "The projects couldn't be loaded. Try again later." : undefined}
    >
      <Select
        value={projectId ?? ALL}
        options={options}
        onValueChange={(value) => onChange(value === ALL ? null : value)}
      />
    </Field>
  );
}
