import type { Snapshot } from '../../src/domains/deployments/engine/detect/snapshot.ts';

/** Files by name, as texts or as what their JSON says. */
export type Tree = Record<string, string | object>;

function viewOf(files: Tree, folder = '') {
  const texts = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
  return { folder, names: new Set(Object.keys(files)), texts };
}

/** What detection sees of a folder with these files. */
export function snapshot(files: Tree, { folder = '', above = {} as Tree } = {}): Snapshot {
  return { ...viewOf(files, folder), publicIndex: 'public' in files, above: folder ? [viewOf(above)] : [] };
}
