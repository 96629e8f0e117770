import { Detected, type RunSettings } from '@nephos/contracts';
import { DEFAULT_MEMORY, DEFAULT_TASKS } from '@nephos/contracts/constants';
import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import { byteSize } from '../../platform/byte-size.ts';
import { recordEvent } from '../observability/events.ts';
import { runSettingsOf } from '../projects/read.ts';
import { disksOf } from './app-disks.ts';
import { WEB } from './engine/detect/plan.ts';
import { lastToRun } from './service.ts';

const MB = 1024 ** 2;

/** How many of a process run, and what each may use. */
interface Size {
  instances: number;
  /** MB. */
  memory: number;
  /** Hundredths of a core; null: no limit. */
  cpu: number | null;
  /** Processes and threads. */
  tasks: number;
}

/** The settings of the version that requests go to, or went to last; undefined where there was none. */
export async function formerSettings(
  trx: Kysely<Database>,
  {
    id,
    ownerId,
    liveDeploymentId,
  }: Pick<Selectable<Database['projects']>, 'id' | 'ownerId' | 'liveDeploymentId'>,
): Promise<Record<string, unknown> | undefined> {
  const formerId = liveDeploymentId ?? (await lastToRun(trx, ownerId, id))?.id;
  if (formerId === undefined) return undefined;
  const former = await trx
    .selectFrom('deployments')
    .select('runSettings')
    .where('ownerId', '=', ownerId)
    .where('id', '=', formerId)
    .executeTakeFirst();
  return former?.runSettings;
}

/**
 * Tells which processes a version is set to run in other numbers, or within other limits, than the one before it. Which
 * disks that one had is not kept, so both are taken to have the present ones: a first disk, which leaves one instance of
 * each, is not told.
 */
export async function recordScaling(
  trx: Kysely<Database>,
  { id, projectId, framework, runSettings }: Selectable<Database['deployments']>,
  former: Record<string, unknown> | undefined,
): Promise<void> {
  if (!former || framework === 'static') return;
  const names = await foundProcesses(trx, projectId);
  const most = (await disksOf(trx, projectId)).length > 0 ? 1 : Number.POSITIVE_INFINITY;
  const [before, now] = [former, runSettings].map((settings) => runSettingsOf(settings).processes);
  if (!before || !now) return;
  const all = new Set([...before, ...now].map(({ name }) => name));
  for (const process of all) {
    const [old, size] = [before, now].map((processes) => sizeOf(process, { processes, names, most }));
    const changes = old && size ? changesOf(old, size) : [];
    if (changes.length === 0) continue;
    const message = `Scaled ${process}: ${changes.join(', ')}.`;
    await recordEvent(trx, { projectId, deploymentId: id, kind: 'scaled', process, message });
  }
}

/** Processes that are there without being set. */
async function foundProcesses(trx: Kysely<Database>, projectId: string): Promise<Set<string>> {
  const project = await trx
    .selectFrom('projects')
    .select('detected')
    .where('id', '=', projectId)
    .executeTakeFirst();
  const found = project?.detected ? Detected.parse(project.detected).processes : [];
  return new Set([WEB, ...found.map(({ name }) => name)]);
}

function sizeOf(
  name: string,
  {
    processes,
    names,
    most,
  }: { processes: RunSettings['processes']; names: ReadonlySet<string>; most: number },
): Size {
  const set = processes.find((process) => process.name === name);
  const count = set || names.has(name) ? (set?.instances ?? 1) : 0;
  return {
    instances: Math.min(count, most),
    memory: set?.memory ?? DEFAULT_MEMORY,
    cpu: set?.cpu ?? null,
    tasks: set?.tasks ?? DEFAULT_TASKS,
  };
}

/** What a sentence says of each change: `instances 1 → 3`. Of what is new or gone there are no limits to compare. */
function changesOf(before: Size, now: Size): string[] {
  const share = (cpu: number | null) => (cpu === null ? 'no limit' : `${cpu}%`);
  const limits: [string, string, string][] = [
    ['memory', byteSize(before.memory * MB), byteSize(now.memory * MB)],
    ['CPU', share(before.cpu), share(now.cpu)],
    ['processes', `${before.tasks}`, `${now.tasks}`],
  ];
  const count: [string, string, string] = ['instances', `${before.instances}`, `${now.instances}`];
  return [count, ...(before.instances > 0 && now.instances > 0 ? limits : [])]
    .filter(([, old, current]) => old !== current)
    .map(([what, old, current]) => `${what} ${old} → ${current}`);
}
