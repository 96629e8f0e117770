import type { RunSettings } from '@nephos/contracts';
import semver from 'semver';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { readPackageJson } from './package-json.ts';
import { CannotRun, type VersionWish } from './plan.ts';
import type { FolderView, Snapshot } from './snapshot.ts';

/** Names of Node's long-term releases, as nvm reads them. */
const NODE_NAMES: Readonly<Record<string, string>> = {
  argon: '4',
  boron: '6',
  carbon: '8',
  dubnium: '10',
  erbium: '12',
  fermium: '14',
  gallium: '16',
  hydrogen: '18',
  iron: '20',
  jod: '22',
  krypton: '24',
};

/** Which Node.js a project asks for: in its settings, else in its files; undefined where it asks for none. */
export function nodeWish(
  snapshot: Snapshot,
  settings: Pick<RunSettings, 'nodeVersion'>,
): VersionWish | undefined {
  if (settings.nodeVersion) return { range: settings.nodeVersion, source: 'the settings' };
  for (const view of [snapshot, ...snapshot.above]) {
    const wish = wishOfFolder(view);
    if (wish) return wish;
  }
  return undefined;
}

function wishOfFolder(view: FolderView): VersionWish | undefined {
  for (const source of ['.nvmrc', '.node-version']) {
    const text = view.texts[source]?.replace(/#.*$/gm, '').trim().toLowerCase();
    if (text) return wishOf(nvmRange(text), source);
  }
  const json = readPackageJson(view);
  if (json?.volta.node) return wishOf(json.volta.node, 'volta in package.json');
  return json?.engines.node ? wishOf(json.engines.node, 'engines in package.json') : undefined;
}

function nvmRange(text: string): string {
  if (text === 'node' || text === 'stable' || text === 'latest' || text === 'lts/*') return '*';
  const name = text.replace(/^lts\/(-\d+)?/, '');
  return NODE_NAMES[name] ?? name;
}

function wishOf(range: string, source: string): VersionWish {
  const text = range
    .trim()
    .replace(/^v(?=\d)/, '')
    .slice(0, 200);
  if (semver.validRange(text) === null) {
    throw new CannotRun(`${source} asks for Node.js ${JSON.stringify(text)}, which is not a version.`);
  }
  return { range: text, source };
}

const Pyproject = z.object({
  project: z.object({ 'requires-python': z.string().optional().catch(undefined) }).catch({}),
  tool: z
    .object({
      poetry: z.object({
        dependencies: z.object({ python: z.string().optional().catch(undefined) }).catch({}),
      }),
    })
    .optional()
    .catch(undefined),
});
const Pipfile = z.object({ requires: z.record(z.string(), z.string()).catch({}) });

/** Which Python a project asks for; undefined where it asks for none. */
export function pythonWish(snapshot: Snapshot): VersionWish | undefined {
  for (const view of [snapshot, ...snapshot.above]) {
    const text = view.texts['.python-version']?.replace(/#.*$/gm, '').trim().split(/\s+/)[0];
    if (text && /^\d/.test(text)) return pythonWishOf(text, '.python-version');
  }
  const runtime = /^python-(\d[\d.]*)/m.exec(snapshot.texts['runtime.txt'] ?? '')?.[1];
  if (runtime) return pythonWishOf(runtime, 'runtime.txt');
  const pipfile = Pipfile.safeParse(readToml(snapshot, 'Pipfile')).data?.requires;
  const pinned = pipfile?.python_full_version ?? pipfile?.python_version;
  if (pinned) return pythonWishOf(pinned, 'Pipfile');
  const { project, tool } = Pyproject.safeParse(readToml(snapshot, 'pyproject.toml')).data ?? {};
  const range = project?.['requires-python'] ?? tool?.poetry.dependencies.python;
  return range ? pythonWishOf(range, 'pyproject.toml') : undefined;
}

/** A TOML file of the project; undefined where there is none that can be read. */
export function readToml({ texts }: FolderView, name: string): unknown {
  const text = texts[name];
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch {
    throw new CannotRun(`${name} is not valid TOML.`);
  }
}

/** PEP 440's versions as a semantic range; patches of a plain version do not matter, since servers have one of each minor. */
function pythonWishOf(text: string, source: string): VersionWish {
  const range = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('!='))
    .map(semanticPart)
    .join(' ');
  if (semver.validRange(range) === null) {
    throw new CannotRun(
      `${source} asks for Python ${JSON.stringify(text.slice(0, 100))}, which is not a version.`,
    );
  }
  return { range, source };
}

function semanticPart(part: string): string {
  const [, compatible] = /^~=\s*([\d.]+)$/.exec(part) ?? [];
  if (compatible) {
    const numbers = compatible.split('.');
    return numbers.length > 2 ? `~${compatible}` : `>=${compatible} <${Number(numbers[0]) + 1}`;
  }
  const plain = part.replace(/^===?\s*/, '').replace(/\.\*$/, '');
  return /^\d[\d.]*$/.test(plain) ? plain.split('.').slice(0, 2).join('.') : part.replaceAll('.*', '');
}
