import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunLimits } from '../../runtime.ts';
import { controllersIn, type Hierarchy, hierarchiesOf } from './hierarchies.ts';

/** What control groups can hold a run to. */
export const CONTROLLERS = ['memory', 'cpu', 'pids'] as const;
export type Controller = (typeof CONTROLLERS)[number];

/** The control groups of one run. */
export interface ControlGroup {
  /** Its folders: a process that writes itself into `cgroup.procs` of each is held, with all that it starts. */
  folders: readonly string[];
  /** Whether the kernel has ended processes because there was no more memory. */
  isOutOfMemory(): boolean;
  /** Once its processes are gone. */
  remove(): Promise<void>;
}

export interface ControlGroups {
  controllers: readonly Controller[];
  open(name: string, limits: RunLimits): ControlGroup;
  /** Removes what a killed server left, once its processes are gone. */
  sweep(): void;
  /** Removes all of it. */
  close(): void;
}

const MB = 1024 ** 2;
/** Microseconds over which the use of a core is counted. */
const PERIOD = 100_000;
/** What we ourselves move into, since a group of version 2 that limits others may hold no processes. */
const OURSELVES = 'nephos-server';
const REMOVAL_TRIES = 20;
const REMOVAL_MS = 50;

/** The texts of `/proc/self/mountinfo` and `/proc/self/cgroup`, and whether we may change what is ours by right of root. */
export interface Place {
  mounts: string;
  own: string;
  isRoot: boolean;
}

export function ownPlace(): Place {
  const read = (name: string) => readFileSync(`/proc/self/${name}`, 'utf8');
  return { mounts: read('mountinfo'), own: read('cgroup'), isRoot: process.getuid?.() === 0 };
}

/**
 * Control groups below our own, which bound ours as well; on a machine of version 2 without a delegated group, and as
 * root, beside the others of the machine. Undefined where none can be made.
 */
export function findControlGroups(instance: string, place: Place = ownPlace()): ControlGroups | undefined {
  const name = `nephos-${instance.slice(0, 8)}`;
  const parents = new Map<Controller, string>();
  for (const hierarchy of hierarchiesOf(place)) {
    const base = baseOf(hierarchy, place);
    const offered = hierarchy.version === 1 ? hierarchy.controllers : controllersIn(base);
    const found = CONTROLLERS.filter((name) => !parents.has(name) && offered.includes(name));
    const parent =
      found.length > 0 ? attempt(() => makeParent(hierarchy, join(base, name), found)) : undefined;
    if (parent) for (const controller of found) parents.set(controller, parent);
  }
  if (parents.size === 0) return undefined;
  return createGroups(parents);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The group below which ours are made. */
function baseOf({ version, top, folder }: Hierarchy, { isRoot }: Place): string {
  if (version === 1) return folder;
  if (isMachine(top) && (isRoot || folder === top)) return top;
  return basename(folder) === OURSELVES ? dirname(folder) : folder;
}

/** The root of the whole machine has no type, and may hold processes whatever it limits. */
function isMachine(top: string): boolean {
  return !existsSync(join(top, 'cgroup.type'));
}

function makeParent({ version, top }: Hierarchy, parent: string, found: readonly Controller[]): string {
  const base = dirname(parent);
  if (version === 2) {
    if (base !== top || !isMachine(top)) moveAside(base);
    enable(base, found);
  }
  mkdirSync(parent, { recursive: true });
  if (version === 2) enable(parent, found);
  return parent;
}

function moveAside(base: string): void {
  const aside = join(base, OURSELVES);
  mkdirSync(aside, { recursive: true });
  const pids = readFileSync(join(base, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
  // One that has ended meanwhile cannot be moved, and need not.
  for (const pid of pids) attempt(() => writeFileSync(join(aside, 'cgroup.procs'), pid));
}

function enable(folder: string, controllers: readonly Controller[]): void {
  writeFileSync(join(folder, 'cgroup.subtree_control'), controllers.map((name) => `+${name}`).join(' '));
}

function createGroups(parents: ReadonlyMap<Controller, string>): ControlGroups {
  const places = [...new Set(parents.values())];
  const sweep = () => {
    for (const parent of places) {
      for (const entry of attempt(() => readdirSync(parent, { withFileTypes: true })) ?? []) {
        if (entry.isDirectory()) attempt(() => rmdirSync(join(parent, entry.name)));
      }
    }
  };
  return {
    controllers: [...parents.keys()],
    open(name, limits) {
      const folders = places.map((parent) => join(parent, name));
      for (const folder of folders) mkdirSync(folder, { recursive: true });
      for (const [controller, parent] of parents) limit(controller, join(parent, name), limits);
      const memory = parents.get('memory');
      return {
        folders,
        isOutOfMemory: () => memory !== undefined && killsIn(join(memory, name)) > 0,
        remove: async () => void (await Promise.all(folders.map(removeGroup))),
      };
    },
    sweep,
    close() {
      sweep();
      for (const parent of places) attempt(() => rmdirSync(parent));
    },
  };
}

/** Writes what both versions have for it; a file that is not there is of the other version, or of a newer kernel. */
function limit(controller: Controller, folder: string, { memory, cpu, tasks }: RunLimits): void {
  const set = (name: string, value: string | number) => {
    if (!existsSync(join(folder, name))) return;
    attempt(() => writeFileSync(join(folder, name), String(value)));
  };
  if (controller === 'memory') {
    set('memory.max', memory * MB);
    set('memory.swap.max', 0);
    set('memory.oom.group', 1);
    set('memory.limit_in_bytes', memory * MB);
    set('memory.memsw.limit_in_bytes', memory * MB);
  } else if (controller === 'cpu') {
    const quota = cpu === null ? undefined : Math.round((cpu * PERIOD) / 100);
    set('cpu.max', `${quota ?? 'max'} ${PERIOD}`);
    set('cpu.cfs_period_us', PERIOD);
    set('cpu.cfs_quota_us', quota ?? -1);
  } else set('pids.max', tasks);
}

function killsIn(folder: string): number {
  for (const name of ['memory.events', 'memory.oom_control']) {
    const text = attempt(() => readFileSync(join(folder, name), 'utf8')) ?? '';
    const kills = /^oom_kill (\d+)$/m.exec(text)?.[1];
    if (kills !== undefined) return Number(kills);
  }
  return 0;
}

/** A group is busy for a moment after its last process has ended. */
async function removeGroup(folder: string): Promise<void> {
  for (let tries = 0; tries < REMOVAL_TRIES; tries++) {
    const failure = await rmdir(folder).catch((error: NodeJS.ErrnoException) => error.code);
    if (failure === undefined || failure === 'ENOENT') return;
    await wait(REMOVAL_MS);
  }
}
