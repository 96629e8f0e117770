import type { Detected, Framework, Project, RunSettings } from '@nephos/contracts';
import { useId } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { textOfNumber, typedNumber } from '../../lib/typed-number.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';

/** Settings of a build and of what it starts, as they are typed: a number that is not set is ''. */
export interface BuildDraft
  extends Pick<
    RunSettings,
    'installCommand' | 'buildCommand' | 'startCommand' | 'releaseCommand' | 'outputDirectory' | 'nodeVersion'
  > {
  port: string;
  healthTimeout: string;
  stopTimeout: string;
}

type TextField = Exclude<keyof BuildDraft, NumberField>;
type NumberField = 'port' | 'healthTimeout' | 'stopTimeout';

export function buildDraftOf({ settings }: Pick<Project, 'settings'>): BuildDraft {
  const { installCommand, buildCommand, startCommand, releaseCommand, outputDirectory, nodeVersion } =
    settings;
  return {
    ...{ installCommand, buildCommand, startCommand, releaseCommand, outputDirectory, nodeVersion },
    port: textOfNumber(settings.port),
    healthTimeout: textOfNumber(settings.healthTimeout),
    stopTimeout: textOfNumber(settings.stopTimeout),
  };
}

/** What is sent. */
export function settingsOf({ port, healthTimeout, stopTimeout, ...texts }: BuildDraft): Partial<RunSettings> {
  return {
    ...texts,
    port: typedNumber(port),
    healthTimeout: typedNumber(healthTimeout),
    stopTimeout: typedNumber(stopTimeout),
  };
}

export interface BuildFieldsProps {
  draft: Pick<Draft<BuildDraft>, 'values' | 'set'>;
  errors: FieldErrors;
  project: Pick<Project, 'framework' | 'detected'>;
}

interface Row {
  field: TextField;
  label: string;
  /** What the newest build found in its place. */
  found: (detected: Detected) => string;
  hint: string;
}

const ROWS: readonly Row[] = [
  {
    field: 'nodeVersion',
    label: 'Node.js version',
    found: ({ runtime }) => (runtime?.startsWith('Node.js ') ? runtime.slice('Node.js '.length) : ''),
    hint: 'Leave blank to use .nvmrc, .node-version or engines.',
  },
  {
    field: 'installCommand',
    label: 'Install command',
    found: ({ installCommand }) => installCommand,
    hint: 'Leave blank to detect it.',
  },
  {
    field: 'buildCommand',
    label: 'Build command',
    found: ({ buildCommand }) => buildCommand,
    hint: 'Leave blank to detect it.',
  },
  {
    field: 'outputDirectory',
    label: 'Output folder',
    found: ({ outputDirectory }) => outputDirectory,
    hint: 'Where the files of a static site are after the build.',
  },
  {
    field: 'startCommand',
    label: 'Start command',
    found: ({ processes }) => processes.find(({ name }) => name === 'web')?.command ?? '',
    hint: 'Leave blank to detect it.',
  },
  {
    field: 'releaseCommand',
    label: 'Release command',
    found: ({ releaseCommand }) => releaseCommand,
    hint: 'Runs once per deployment, before the new version starts. If it fails, so does the deployment.',
  },
];

/** How a project is built and started. What is not set is detected; the last result stands beside it. */
export function BuildFields({ draft: { values, set }, errors, project }: BuildFieldsProps) {
  const id = useId();
  const { framework, detected } = project;
  const isNeeded = ({ field }: Row) => framework !== 'static' || field !== 'startCommand';
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-line border-t pt-5">
      <h2 id={id} className="font-semibold text-fg">
        Build & run
      </h2>
      {detected && <DetectedLine detected={detected} />}
      {ROWS.filter(isNeeded).map(({ field, label, found, hint }) => {
        const result = detected ? found(detected) : '';
        return (
          <Field
            key={field}
            label={label}
            error={errors[`settings.${field}`]}
            hint={hintOf({ field, hint }, result, framework)}
          >
            <PlainInput
              value={values[field]}
              onChange={(event) => set(field, event.target.value)}
              placeholder={result}
            />
          </Field>
        );
      })}
      {framework !== 'static' && (
        <NumberFields values={values} set={set} errors={errors} port={detected?.port ?? null} />
      )}
    </section>
  );
}

function hintOf({ field, hint }: Pick<Row, 'field' | 'hint'>, result: string, framework: Framework) {
  if (result) return <DetectedHint value={result} />;
  if (field === 'nodeVersion' && framework === 'python')
    return 'Only if the project has a package.json, too.';
  return hint;
}

function DetectedLine({ detected: { framework, runtime, packageManager } }: { detected: Detected }) {
  const found = [framework, runtime, packageManager].filter(Boolean);
  return <p className="-mt-3 text-muted text-sm">Last deployment: {found.join(', ')}.</p>;
}

function DetectedHint({ value }: { value: string }) {
  return (
    <>
      Detected: <span className="wrap-anywhere font-mono">{value}</span>
    </>
  );
}

const NUMBERS: readonly { field: NumberField; label: string; placeholder: string; hint: string }[] = [
  { field: 'port', label: 'Port', placeholder: 'Detected', hint: 'Only if the app ignores PORT.' },
  {
    field: 'healthTimeout',
    label: 'Health timeout',
    placeholder: '60',
    hint: 'Seconds until it must respond.',
  },
  {
    field: 'stopTimeout',
    label: 'Stop timeout',
    placeholder: '10',
    hint: 'Seconds to finish after SIGTERM.',
  },
];

interface NumberFieldsProps
  extends Pick<BuildFieldsProps, 'errors'>,
    Pick<Draft<BuildDraft>, 'values' | 'set'> {
  /** Where the app was found to listen, where that is not PORT. */
  port: number | null;
}

function NumberFields({ values, set, errors, port }: NumberFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {NUMBERS.map(({ field, label, placeholder, hint }) => {
        const result = field === 'port' ? textOfNumber(port) : '';
        return (
          <Field
            key={field}
            label={label}
            error={errors[`settings.${field}`]}
            hint={result ? <DetectedHint value={result} /> : hint}
          >
            <PlainInput
              inputMode="numeric"
              value={values[field]}
              onChange={(event) => set(field, event.target.value)}
              placeholder={result || placeholder}
            />
          </Field>
        );
      })}
    </div>
  );
}
