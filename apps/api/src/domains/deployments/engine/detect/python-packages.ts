import semver from 'semver';
import { z } from 'zod';
import type { Snapshot } from './snapshot.ts';
import { readToml } from './versions.ts';

/** What pip is told to install, and the versions that a lock file holds it to. */
export interface PythonPackages {
  /** Arguments of `pip install`; none where nothing is to be installed. */
  args: readonly string[];
  /** For the log. */
  label: string;
  constraints: string;
  /** Names in lower case, as far as they are written down. */
  names: ReadonlySet<string>;
  /** For a person, for example `pip` or `Poetry`. */
  manager: string;
}

/** Packages of the file that lists them, in the order in which other platforms look. */
export function pythonPackages(snapshot: Snapshot): PythonPackages {
  const { names } = snapshot;
  if (names.has('requirements.txt')) return fromRequirements(snapshot);
  if (names.has('Pipfile')) return fromPipfile(snapshot);
  if (names.has('pyproject.toml')) return fromPyproject(snapshot);
  return { args: [], label: '', constraints: '', names: new Set(), manager: 'pip' };
}

function fromRequirements({ texts }: Snapshot): PythonPackages {
  const lines = (texts['requirements.txt'] ?? '').split('\n');
  return {
    args: ['-r', 'requirements.txt'],
    label: 'pip install -r requirements.txt',
    constraints: '',
    names: namesOf(lines),
    manager: 'pip',
  };
}

/** The names that requirements begin with (PEP 508), by which PyPI knows them: lower case, with hyphens. */
function namesOf(requirements: readonly string[]): Set<string> {
  return new Set(
    requirements
      .map((line) => /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(line)?.[1] ?? '')
      .filter(Boolean)
      .map(normal),
  );
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[._-]+/g, '-');
}

const Dependency = z.union([
  z.string(),
  z.object({
    version: z.string().default('*'),
    extras: z.array(z.string()).default([]),
    optional: z.boolean().default(false),
    markers: z.string().default(''),
    git: z.string().optional(),
    path: z.string().optional(),
  }),
]);
const Dependencies = z.record(z.string(), Dependency.catch('*')).catch({});

const Pipfile = z.object({ packages: Dependencies });
const PipfileLock = z.object({
  default: z.record(z.string(), z.object({ version: z.string().catch('') })).catch({}),
});

function fromPipfile(snapshot: Snapshot): PythonPackages {
  const { packages = {} } = Pipfile.safeParse(readToml(snapshot, 'Pipfile')).data ?? {};
  const lock = PipfileLock.safeParse(readJson(snapshot.texts['Pipfile.lock'])).data?.default ?? {};
  const pinned = Object.entries(lock).flatMap(([name, { version }]) =>
    version ? [`${name}${version}`] : [],
  );
  return given(requirementsOf(packages), pinned, { manager: 'Pipenv', label: 'Pipfile' });
}

const Pyproject = z.object({
  'build-system': z.unknown().optional(),
  project: z
    .object({ dependencies: z.array(z.string()).catch([]) })
    .optional()
    .catch(undefined),
  tool: z
    .object({
      poetry: z
        .object({ dependencies: Dependencies, 'package-mode': z.boolean().optional() })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});
const Lock = z.object({
  package: z
    .array(
      z.object({
        name: z.string(),
        version: z.string().default(''),
        source: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .catch([]),
});

/** The project itself is not installed where its dependencies are known: apps often cannot be built as packages. */
function fromPyproject(snapshot: Snapshot): PythonPackages {
  const { project, tool } = Pyproject.safeParse(readToml(snapshot, 'pyproject.toml')).data ?? {};
  const poetry = tool?.poetry;
  const requirements = [...(project?.dependencies ?? []), ...requirementsOf(poetry?.dependencies ?? {})];
  const manager = poetry ? 'Poetry' : snapshot.names.has('uv.lock') ? 'uv' : 'pip';
  if (requirements.length === 0 && !project && !poetry) {
    return { args: [], label: '', constraints: '', names: new Set(), manager };
  }
  return given(requirements, [...locked(snapshot, 'poetry.lock'), ...locked(snapshot, 'uv.lock')], {
    manager,
    label: 'pyproject.toml',
  });
}

function locked(snapshot: Snapshot, file: string): string[] {
  const { package: packages = [] } = Lock.safeParse(readToml(snapshot, file)).data ?? {};
  const versions = new Map<string, Set<string>>();
  for (const { name, version, source } of packages) {
    if (!version || (source && !('registry' in source))) continue;
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  // One that is locked to several versions has one for each platform, which pip finds out by itself.
  return [...versions].flatMap(([name, all]) => (all.size === 1 ? [`${name}==${[...all][0]}`] : []));
}

function given(
  requirements: readonly string[],
  pinned: readonly string[],
  { manager, label }: { manager: string; label: string },
): PythonPackages {
  const safe = requirements.filter((line) => /^[A-Za-z0-9]/.test(line));
  return {
    args: safe,
    label: `pip install (${label})`,
    constraints: pinned
      .filter((line) => /^[A-Za-z0-9][^\n]*$/.test(line))
      .map((line) => `${line}\n`)
      .join(''),
    names: namesOf([...safe, ...pinned]),
    manager,
  };
}

/** Requirements as pip reads them, of tables as Poetry and Pipenv write them. */
function requirementsOf(dependencies: z.output<typeof Dependencies>): string[] {
  return Object.entries(dependencies).flatMap(([name, said]) => {
    if (name === 'python') return [];
    if (typeof said === 'string') return [`${name}${versionOf(said)}`];
    if (said.optional || said.path) return [];
    const extras = said.extras.length > 0 ? `[${said.extras.join(',')}]` : '';
    const markers = said.markers ? `; ${said.markers}` : '';
    return [
      said.git
        ? `${name}${extras} @ git+${said.git}${markers}`
        : `${name}${extras}${versionOf(said.version)}${markers}`,
    ];
  });
}

/** Poetry's `^1.2` and `~1.2`, or a plain version, as PEP 440 has it. */
function versionOf(said: string): string {
  if (said === '*' || said === '') return '';
  if (/^\d/.test(said)) return `==${said}`;
  if (!/^[\^~]\d/.test(said)) return said;
  const range = semver.validRange(said)?.replace(/-0\b/g, '').split(' ').join(',');
  return range ?? '';
}

function readJson(text = '{}'): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
