import { opendir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Framework } from '@nephos/contracts';
import type { Account } from '@nephos/db';
import { foreignOf } from './foreign.ts';
import { holdBelow, type Snapshot } from './snapshot.ts';

/** Files by which a folder is known as one of a framework that we run. */
const OURS: readonly (readonly [Framework, readonly string[]])[] = [
  ['nodejs', ['package.json']],
  ['python', ['requirements.txt', 'pyproject.toml', 'Pipfile', 'manage.py', 'main.py', 'app.py']],
  ['static', ['index.html', 'hugo.toml']],
];

const MAX_NAMED = 5;
const MAX_DEPTH = 3;
const MAX_LOOKED_AT = 300;
const UNLIKELY = new Set(['node_modules', 'vendor', 'test', 'tests', 'docs', '__pycache__', 'venv']);

/** What was found instead and what to do about it, to follow a sentence that says what is missing. */
export async function advise(
  chosen: Framework,
  { names, folder }: Snapshot,
  { containers, ...repository }: { root: string; account: Account | undefined; containers: boolean },
): Promise<string> {
  for (const [framework, files] of OURS) {
    const file = files.find((name) => names.has(name));
    if (file && framework !== chosen) return `It has ${file}. Set the framework to ${framework}.`;
  }
  const language = foreignOf(names);
  const hasDockerfile = names.has('Dockerfile');
  if (containers && hasDockerfile) return 'It has a Dockerfile. Set the builder to Dockerfile.';
  if (containers && language) return `It has ${language}. Add a Dockerfile to deploy it.`;
  const foreign = language ?? (hasDockerfile ? 'Dockerfile (Docker)' : undefined);
  if (foreign)
    return `It has ${foreign}, which needs a container. This server runs Node.js, Python and static sites; with DEPLOY_RUNTIME=docker, it runs containers.`;
  const { apps, others } = await foldersBelow(folder, repository);
  const [first, ...rest] = apps.slice(0, MAX_NAMED);
  if (first) return `Set the folder to ${listed([first, ...rest], 'or')}.`;
  const files = [...names].filter((name) => !name.startsWith('.') && !others.includes(name));
  const found = [...others, ...files].slice(0, MAX_NAMED);
  return found.length > 0 ? `It has ${listed(found, 'and')}.` : 'It is empty.';
}

/** Which folders there are, to follow a sentence that says that one is missing: those with an app, or else the first ones. */
export async function adviseFolder(repository: {
  root: string;
  account: Account | undefined;
}): Promise<string> {
  const { apps, others } = await foldersBelow('', repository);
  const found = (apps.length > 0 ? apps : others).slice(0, MAX_NAMED);
  return found.length > 0 ? `It has ${listed(found, 'and')}.` : 'It has no folders.';
}

function listed(names: readonly string[], word: string): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}

/** Folders with an app, the nearest first, and all folders of the first level; none whose name begins with a dot. */
async function foldersBelow(top: string, { root, account }: { root: string; account: Account | undefined }) {
  const apps: string[] = [];
  const others: string[] = [];
  let level = [top];
  let looked = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const path of level) {
      looked += 1;
      if (looked > MAX_LOOKED_AT) return { apps, others };
      const { files, folders } = await namesIn(root, path, account);
      if (path !== top && OURS.some(([, known]) => known.some((name) => files.includes(name))))
        apps.push(path);
      else next.push(...folders.map((name) => posix.join(path, name)));
    }
    if (depth === 0) others.push(...next);
    level = next;
  }
  return { apps, others };
}

async function namesIn(root: string, path: string, account: Account | undefined) {
  const files: string[] = [];
  const folders: string[] = [];
  await using folder = await holdBelow(root, path || '.', account);
  for await (const entry of folder ? await opendir(folder.at('.')) : []) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isFile()) files.push(entry.name);
    else if (entry.isDirectory() && !UNLIKELY.has(entry.name)) folders.push(entry.name);
  }
  return { files, folders: folders.sort() };
}
