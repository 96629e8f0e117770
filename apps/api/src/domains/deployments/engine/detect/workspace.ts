import { parse } from 'yaml';
import { z } from 'zod';
import { readPackageJson } from './package-json.ts';
import type { FolderView, Snapshot } from './snapshot.ts';

const LOCKS = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'],
];

const PnpmWorkspace = z.object({ packages: z.array(z.string()).catch([]) }).catch({ packages: [] });

/**
 * The folder whose packages are installed: the project's own, or the one above with the lock file of a workspace that
 * the project belongs to.
 */
export function workspaceOf(snapshot: Snapshot): FolderView {
  if (LOCKS.some((name) => snapshot.names.has(name))) return snapshot;
  const holds = (view: FolderView) => {
    const path = view.folder === '' ? snapshot.folder : snapshot.folder.slice(view.folder.length + 1);
    return isMember(path, patternsOf(view));
  };
  return snapshot.above.find(holds) ?? snapshot;
}

/** Whether a folder lies below a workspace of pnpm without belonging to it. */
export function isOutsideWorkspace(snapshot: Snapshot): boolean {
  return (
    workspaceOf(snapshot) === snapshot && snapshot.above.some(({ names }) => names.has('pnpm-workspace.yaml'))
  );
}

function patternsOf(view: FolderView): readonly string[] {
  const text = view.texts['pnpm-workspace.yaml'];
  if (text !== undefined) return PnpmWorkspace.parse(parseYaml(text)).packages;
  return readPackageJson(view)?.workspaces ?? [];
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}

/** Whether a path is named by the patterns of a workspace, the last one that fits decides. */
function isMember(path: string, patterns: readonly string[]): boolean {
  return patterns.reduce((member, pattern) => {
    const excludes = pattern.startsWith('!');
    const plain = pattern.replace(/^!/, '').replace(/^\.\//, '').replace(/\/+$/, '');
    return matches(path.split('/'), plain.split('/')) ? !excludes : member;
  }, false);
}

/** Glob patterns as workspaces have them: `*` within a name, `**` for any names. */
function matches(names: readonly string[], parts: readonly string[]): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return names.length === 0;
  if (part === '**') return names.some((_, at) => matches(names.slice(at), rest)) || matches([], rest);
  const [name, ...others] = names;
  return name !== undefined && matchesName(name, part) && matches(others, rest);
}

function matchesName(name: string, part: string): boolean {
  const [first = '', ...pieces] = part.split('*');
  if (pieces.length === 0) return name === part;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(0, -1)) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const last = pieces.at(-1) ?? '';
  return name.length - last.length >= at && name.endsWith(last);
}
