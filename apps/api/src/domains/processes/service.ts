import { type AppProcess, Detected } from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { WEB } from '../deployments/engine/detect/plan.ts';
import { runSettingsOf } from '../projects/read.ts';
import type { ProcessesParts } from './processes.ts';

/** A project's processes as the next restart will run them, and what runs of each. */
export async function listProcesses(
  { db, ownerId }: UserContext,
  { engine }: ProcessesParts,
  projectId: string,
): Promise<AppProcess[]> {
  const project = await db
    .selectFrom('projects')
    .select(['runSettings', 'detected'])
    .where('ownerId', '=', ownerId)
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (!project) throw notFound();
  const settings = runSettingsOf(project.runSettings);
  const found = project.detected ? Detected.parse(project.detected).processes : [];
  const listed = new Map<string, AppProcess>();
  const list = (name: string, command: string, source: AppProcess['source']) =>
    listed.set(name, { name, command, source, instances: [] });

  for (const { name, command } of found) list(name, command, 'repository');
  for (const { name, command } of settings.processes) if (command) list(name, command, 'settings');
  if (settings.startCommand) list(WEB, settings.startCommand, 'settings');
  for (const { process, command, ...instance } of engine.processes(projectId)) {
    if (!listed.has(process)) list(process, command, 'repository');
    listed.get(process)?.instances.push(instance);
  }
  return [...listed.values()].sort((a, b) => Number(b.name === WEB) - Number(a.name === WEB));
}

/** Tells them at once, and again after each change. */
export async function* followProcesses(
  ctx: UserContext,
  parts: ProcessesParts,
  projectId: string,
): AsyncGenerator<Tracked<AppProcess[]>> {
  let wake = () => {};
  let isNew = true;
  const ring = () => {
    isNew = true;
    wake();
  };
  const unwatch = parts.engine.watchProcesses(projectId, ring);
  ctx.signal?.addEventListener('abort', ring);
  try {
    while (!ctx.signal?.aborted) {
      isNew = false;
      yield { id: String(Date.now()), data: await listProcesses(ctx, parts, projectId) };
      if (isNew) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    unwatch();
    ctx.signal?.removeEventListener('abort', ring);
  }
}
