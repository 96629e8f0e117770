import type Docker from 'dockerode';
import type { ContainerStart } from '../container/app-container.ts';
import type { ContainerParts } from '../container/container-parts.ts';
import { isMissing } from '../container/daemon.ts';
import { openDisks, sharesDisks } from '../container/disks.ts';
import { containerEnvironment } from '../container/environment.ts';
import { isRestored } from '../container/kept-image.ts';
import { explain, NotBegun } from '../container/open-container.ts';
import { releaseImage, sourceOf } from '../container/release-image.ts';
import { expandWord } from '../detect/command-line.ts';
import type { JobImage } from '../engine.ts';
import { releaseFolders } from '../folders.ts';
import { endedEarly } from '../instances/readiness.ts';
import { StepFailure } from '../step-failure.ts';
import { type Placements, placeOn } from './placement.ts';
import { isInRegistry } from './registry-image.ts';
import type { RemoteFigures } from './remote-figures.ts';
import { madeBy, serviceOptions } from './service-options.ts';
import type { ServiceTask, SwarmState } from './swarm-state.ts';

/** What services of projects are started with. */
export interface SwarmParts {
  containers: ContainerParts;
  swarm: SwarmState;
  placements: Placements;
  remoteFigures: RemoteFigures;
}

/** Makes a service for an instance, in the place of whatever has its name. Throws `StepFailure`. */
export async function openService(
  parts: SwarmParts,
  options: ContainerStart,
  { name, port }: { name: string; port: number | undefined },
): Promise<Docker.Service> {
  const { containers, placements } = parts;
  const { app, process } = options;
  containers.marks.forget(name);
  await removeNamed(parts, name);
  const source = await pulledFrom(parts, options);
  const counted = `${app.deploymentId} ${process.name}`;
  const machine = await placeOf(parts, options, { process: counted, source });
  placements.set(name, { machine, process: counted });
  try {
    const spec = await specOf(parts, options, { name, port, machine, source });
    // What is not said here, the library takes from the specification, which has secrets of the app.
    const auth: Docker.AuthConfig = source?.credentials ?? {};
    return await containers.daemon.docker.createService(auth, spec).catch(explain);
  } catch (error) {
    placements.delete(name);
    if (error instanceof NotBegun) throw endedEarly(process, error.ending);
    throw error;
  }
}

/**
 * Where machines pull an image from; null where this one alone has it, as one that a restore has brought back, and that its
 * registry has no longer.
 */
async function pulledFrom(
  { containers, swarm }: SwarmParts,
  options: ContainerStart,
): Promise<JobImage | null> {
  const { daemon, root } = containers;
  const { projectId, deploymentId, rollbackOf } = options.app;
  const source = await sourceOf(containers, options);
  if (!source || !isRestored(releaseFolders(root, projectId, rollbackOf ?? deploymentId).image))
    return source;
  const here = swarm.machines().find(({ isHere }) => isHere);
  if (here?.availability !== 'active' || (await isInRegistry(daemon.docker, source))) return source;
  return null;
}

interface Placed {
  name: string;
  port: number | undefined;
  machine: string;
  source: JobImage | null;
}

async function specOf(
  { containers }: SwarmParts,
  options: ContainerStart,
  { source, ...placed }: Placed,
): Promise<Docker.ServiceSpec> {
  const { settings } = containers;
  const { app, instance } = options;
  const { name, argv, expand, limits } = options.process;
  const image = await releaseImage(containers, options);
  const network = await containers.networks.open(app.projectId);
  const disks = await openDisks(containers, { app, folder: image.folder });
  const env = containerEnvironment(settings, { app, port: placed.port, disks });
  const { stopTimeout } = app.settings;
  return serviceOptions({
    ...{ ...placed, instance: containers.instance, app, origin: { process: name, instance } },
    image: source?.reference ?? image.id,
    command: expand ? argv.map((word) => expandWord(word, { ...image.env, ...env })) : argv,
    ...{ env, limits, network, disks },
    grace: stopTimeout === null ? containers.limits.killTime : stopTimeout * 1000,
  });
}

async function removeNamed(parts: SwarmParts, name: string): Promise<void> {
  const { docker } = parts.containers.daemon;
  try {
    const { ID } = await docker.getService(name).inspect();
    await removeService(parts, docker.getService(ID));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Whoever has time waits for a machine. */
async function placeOf(
  { containers, swarm, placements }: SwarmParts,
  { app, patient, signal }: ContainerStart,
  wanted: Pick<Parameters<typeof placeOn>[2], 'process' | 'source'>,
): Promise<string> {
  const hasLocalDisk = app.disks.length > 0 && !(await sharesDisks(containers, app.disks));
  for (;;) {
    const machines = swarm.machines().map((machine) => ({ ...machine, isUp: swarm.isUp(machine.id) }));
    const placed = placeOn(machines, placements, { hasLocalDisk, ...wanted });
    if ('id' in placed) return placed.id;
    if (!patient) throw new StepFailure('start', `Start failed: ${placed.reason}.`);
    await swarm.looked(signal);
  }
}

/** States of tasks that ended (docs.docker.com/engine/swarm/how-swarm-mode-works/swarm-task-states). */
const OVER = new Set(['complete', 'failed', 'shutdown', 'rejected', 'orphaned', 'remove']);

export function isOver({ state }: Pick<ServiceTask, 'state'>): boolean {
  return OVER.has(state);
}

/** Milliseconds that the swarm may take beside what the app does. */
const REMOVE_MS = 60_000;

/**
 * Whether a machine is gone with what ran on it. With a disk that is waited for until the swarm says so, too: one that was
 * cut off for a moment only would write to the disk beside what took its place.
 */
export function isGone(swarm: SwarmState, machine: string, { holdsDisk }: { holdsDisk: boolean }): boolean {
  return holdsDisk ? swarm.isGivenUp(machine) : swarm.isLost(machine);
}

/** Removes a service, which need not be there; resolves when nothing of it runs on any machine that answers. */
export async function removeService(
  { swarm }: Pick<SwarmParts, 'swarm'>,
  service: Docker.Service,
): Promise<void> {
  let made: ReturnType<typeof madeBy>;
  try {
    const { Spec } = await service.inspect();
    made = madeBy(Spec);
    await service.remove();
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  const late = AbortSignal.timeout(made.grace + REMOVE_MS);
  for (;;) {
    await swarm.looked(late);
    const task = swarm.taskOf(service.id);
    if (!task || isOver(task) || (task.machine !== '' && isGone(swarm, task.machine, made))) return;
  }
}
