import type { BuildArg, ContainerRuntime, RunSettings } from '@nephos/contracts';
import { type Builder, MAX_BUILD_ARGS } from '@nephos/contracts/constants';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { Select } from '../../ui/select.tsx';

export type DockerfileDraft = Pick<RunSettings, 'builder' | 'dockerfile' | 'dockerTarget' | 'buildArgs'>;

export interface DockerfileFieldsProps {
  draft: Pick<Draft<DockerfileDraft>, 'values' | 'set'>;
  errors: FieldErrors;
  containers: ContainerRuntime;
}

const BUILDERS: Record<Builder, string> = {
  auto: 'Dockerfile if there is one',
  dockerfile: 'Dockerfile',
  framework: 'Framework',
};

/**
 * How an image is built from the project's source. Where apps do not run in containers there is nothing to choose, but a
 * choice that was made before can be taken back.
 */
export function DockerfileFields({ draft: { values, set }, errors, containers }: DockerfileFieldsProps) {
  // It stays while what was chosen is being taken back.
  const [wasChosen] = useState(values.builder !== 'auto');
  if (!containers.available && !wasChosen) return null;
  return (
    <>
      <Field label="Build with" error={errors['settings.builder']} hint={containers.reason}>
        <Select
          value={values.builder}
          onValueChange={(builder) => set('builder', builder)}
          options={Object.entries(BUILDERS).map(([value, label]) => ({
            // The keys of the record above.
            value: value as Builder,
            label,
          }))}
        />
      </Field>
      {containers.available && values.builder !== 'framework' && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Dockerfile"
              error={errors['settings.dockerfile']}
              hint="Path inside the project's folder."
            >
              <PlainInput
                value={values.dockerfile}
                onChange={(event) => set('dockerfile', event.target.value)}
                placeholder="Dockerfile"
              />
            </Field>
            <Field
              label="Target stage"
              error={errors['settings.dockerTarget']}
              hint="Leave blank for the last stage."
            >
              <PlainInput
                value={values.dockerTarget}
                onChange={(event) => set('dockerTarget', event.target.value)}
                placeholder="production"
              />
            </Field>
          </div>
          <BuildArgs args={values.buildArgs} onChange={(args) => set('buildArgs', args)} errors={errors} />
        </>
      )}
    </>
  );
}

interface BuildArgsProps {
  args: readonly BuildArg[];
  onChange: (args: BuildArg[]) => void;
  errors: FieldErrors;
}

function BuildArgs({ args, onChange, errors }: BuildArgsProps) {
  const change = (index: number, part: Partial<BuildArg>) =>
    onChange(args.map((arg, at) => (at === index ? { ...arg, ...part } : arg)));
  const general = errors['settings.buildArgs'];
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-fg text-sm">Build arguments</legend>
      {args.map((arg, index) => (
        <div key={index} className="grid grid-cols-[1fr_1fr_auto] items-start gap-2">
          <Field label="Name" labelClassName="sr-only" error={errors[`settings.buildArgs.${index}.name`]}>
            <PlainInput
              value={arg.name}
              onChange={(event) => change(index, { name: event.target.value })}
              placeholder="VERSION"
            />
          </Field>
          <Field label="Value" labelClassName="sr-only" error={errors[`settings.buildArgs.${index}.value`]}>
            <PlainInput
              value={arg.value}
              onChange={(event) => change(index, { value: event.target.value })}
              placeholder="1.2.3"
            />
          </Field>
          <IconButton
            label={`Remove ${arg.name || 'build argument'}`}
            onClick={() => onChange(args.filter((_, at) => at !== index))}
          >
            <X aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          size="sm"
          disabled={args.length >= MAX_BUILD_ARGS}
          onClick={() => onChange([...args, { name: '', value: '' }])}
        >
          <Plus aria-hidden="true" />
          Add argument
        </Button>
      </div>
      <p
        role={general ? 'alert' : undefined}
        className={general ? 'text-danger text-sm' : 'text-faint text-sm'}
      >
        {general ?? 'Anyone who has the image can read them. Keep secrets in Environment.'}
      </p>
    </fieldset>
  );
}
