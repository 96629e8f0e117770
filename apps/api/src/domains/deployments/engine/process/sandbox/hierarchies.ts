import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A tree of control groups (cgroups(7)). */
export interface Hierarchy {
  version: 1 | 2;
  /** Where it is mounted. */
  top: string;
  /** Our own group. */
  folder: string;
  /** Of version 1; those of version 2 depend on the group. */
  controllers: readonly string[];
}

/**
 * The trees that are mounted, of version 2 first, told from `/proc/self/mountinfo` and `/proc/self/cgroup`. In a container
 * a part of the tree is mounted, which need not be its own group.
 */
export function hierarchiesOf({ mounts, own }: { mounts: string; own: string }): Hierarchy[] {
  const groups = own
    .trim()
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line)?.slice(1) ?? []);
  const found = mounts
    .trim()
    .split('\n')
    .flatMap((line) => hierarchyOf(line, groups) ?? []);
  return found.sort((a, b) => b.version - a.version);
}

function hierarchyOf(line: string, groups: string[][]): Hierarchy | undefined {
  const [mount = '', system = ''] = line.split(' - ');
  const [, , , root = '', top = ''] = mount.split(' ');
  const [type = '', , options = ''] = system.split(' ');
  if (type !== 'cgroup' && type !== 'cgroup2') return undefined;
  const names = options.split(',');
  const group = groups.find(([controllers = '']) =>
    type === 'cgroup2' ? controllers === '' : controllers.split(',').some((name) => names.includes(name)),
  );
  const path = relative(root, group?.[1] ?? '');
  if (!group || path.startsWith('..')) return undefined;
  const folder = join(top, path);
  if (type === 'cgroup') return { version: 1, top, folder, controllers: names };
  return { version: 2, top, folder, controllers: [] };
}

/** What a group of version 2 can give those below it. */
export function controllersIn(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(/\s+/);
  } catch {
    return [];
  }
}
