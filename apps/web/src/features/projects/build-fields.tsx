import type { Detected, Framework, Project, RunSettings } from '@nephos/contracts';
import { projectDockerfilePath } from '@nephos/contracts/constants';
import { Download } from 'lucide-react';
import { useId } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { inWorkspace } from '../../lib/tab-workspace.ts';
import { trpc } from '../../lib/trpc.ts';
import { textOfNumber, typedNumber } from '../../lib/typed-number.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { type DockerfileDraft, DockerfileFields } from './dockerfile-fields.tsx';

/** Settings of a build and of what it starts, as they are typed: a number that is not set is ''. */
export interface BuildDraft
  extends DockerfileDraft,
    Pick<
      RunSettings,
      | 'installCommand'
      | 'buildCommand'
      | 'startCommand'
      | 'releaseCommand'
      | 'outputDirectory'
      | 'nodeVersion'
    > {
  port: string;
  healthTimeout: string;
  stopTimeout: string;
}

type TextField = Exclude<keyof BuildDraft, NumberField | keyof DockerfileDraft>;
type NumberField = 'port' | 'healthTimeout' | 'stopTimeout';

export function buildDraftOf({ settings }: Pick<Project, 'settings'>): BuildDraft {
  return {
    ...textsOf(settings),
    port: textOfNumber(settings.port),
    healthTimeout: textOfNumber(settings.healthTimeout),
    stopTimeout: textOfNumber(settings.stopTimeout),
  };
}

/** What is sent. */
export function settingsOf(draft: BuildDraft): Partial<RunSettings> {
  return {
    ...textsOf(draft),
    port: typedNumber(draft.port),
    healthTimeout: typedNumber(draft.healthTimeout),
    stopTimeout: typedNumber(draft.stopTimeout),
  };
}

/** What is typed as it is sent. */
function textsOf(draft: Omit<BuildDraft, NumberField>): Omit<BuildDraft, NumberField> {
  const { installCommand, buildCommand, startCommand, releaseCommand, outputDirectory, nodeVersion } = draft;
  const { builder, dockerfile, dockerTarget, buildArgs } = draft;
  return {
    ...{ installCommand, buildCommand, startCommand, releaseCommand, outputDirectory, nodeVersion },
    ...{ builder, dockerfile, dockerTarget, buildArgs },
  };
}

export interface BuildFieldsProps {
  draft: Pick<Draft<BuildDraft>, 'values' | 'set'>;
  errors: FieldErrors;
  project: Pick<Project, 'id' | 'framework' | 'detected' | 'hasDockerfile'>;
  /** Whether it is an image, of which nothing is built or detected. */
  isImage: boolean;
}

interface Row {
  field: TextField;
  label: string;
  /** What the newest build found in its place. */
  found: (detected: Detected) => string;
  hint: string;
}

const RELEASE_HINT =
  'Runs once per deployment, before the new version starts. If it fails, so does the deployment.';

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
    hint: RELEASE_HINT,
  },
];

/** What is said of those settings that an image has as well. */
const IMAGE_HINTS: Partial<Record<TextField, string>> = {
  startCommand: "Leave blank for the image's own command.",
  releaseCommand: RELEASE_HINT,
};

const OF_IMAGES: ReadonlySet<string> = new Set(Object.keys(IMAGE_HINTS));

/** How a project is built and started. What is not set is detected; the last result stands beside it. */
export function BuildFields({ draft, errors, project, isImage }: BuildFieldsProps) {
  const id = useId();
  const { values, set } = draft;
  const { framework } = project;
  const detected = isImage ? null : project.detected;
  const isSite = framework === 'static' && !isImage;
  const [containers] = trpc.projects.containerRuntime.useSuspenseQuery();
  const isDockerfile = containers.available && values.builder === 'dockerfile';
  const isNeeded = ({ field }: Row) =>
    isImage || isDockerfile ? OF_IMAGES.has(field) : !isSite || field !== 'startCommand';
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-line border-t pt-5">
      <h2 id={id} className="font-semibold text-fg">
        {isImage ? 'Run' : 'Build & run'}
      </h2>
      {detected && <DetectedLine detected={detected} />}
      {!isImage && project.hasDockerfile && (
        <a
          href={inWorkspace(projectDockerfilePath(project.id))}
          download
          className={buttonStyles({ size: 'sm', className: 'self-start' })}
        >
          <Download aria-hidden="true" />
          Download Dockerfile
        </a>
      )}
      {!isImage && <DockerfileFields draft={draft} errors={errors} containers={containers} />}
      {ROWS.filter(isNeeded).map(({ field, label, found, hint }) => {
        const result = detected ? found(detected) : '';
        return (
          <Field
            key={field}
            label={label}
            error={errors[`settings.${field}`]}
            hint={isImage || isDockerfile ? IMAGE_HINTS[field] : hintOf({ field, hint }, result, framework)}
          >
            <PlainInput
              value={values[field]}
              onChange={(event) => set(field, event.target.value)}
              placeholder={result}
            />
          </Field>
        );
      })}
      {!isSite && <NumberFields values={values} set={set} errors={errors} port={detected?.port ?? null} />}
    </section>
  );
}

function hintOf({ field, hint }: Pick<Row, 'field' | 'hint'>, result: string, framework: Framework) {
  if (result) return <DetectedHint value={result} />;
  if (field === 'nodeVersion' && framework === 'python')
    return 'Only if the project has a package.json as well.';
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
