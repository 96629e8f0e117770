import type { Framework } from '@nephos/contracts';
import { trpc } from '../../trpc.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';

const LABELS: Record<Framework, string> = {
  nodejs: 'Node.js',
  static: 'Static site',
  python: 'Python',
};

export interface FrameworkFieldProps {
  value: Framework;
  onChange: (framework: Framework) => void;
  error: string | undefined;
}

/** The choice of a framework; one that this server cannot run is shown with its reason. */
export function FrameworkField({ value, onChange, error }: FrameworkFieldProps) {
  const [runtimes] = trpc.projects.runtimes.useSuspenseQuery();
  const unavailable = runtimes.filter((runtime) => !runtime.available);
  return (
    <Field
      label="Framework"
      error={error}
      hint={
        unavailable.length > 0 &&
        unavailable.map((runtime) => (
          <span key={runtime.framework} className="block">
            {LABELS[runtime.framework]} is not available: {runtime.reason}
          </span>
        ))
      }
    >
      <Select
        value={value}
        onValueChange={onChange}
        options={runtimes.map(({ framework, available }) => ({
          value: framework,
          label: available ? LABELS[framework] : `${LABELS[framework]} (not available)`,
          disabled: !available,
        }))}
      />
    </Field>
  );
}
