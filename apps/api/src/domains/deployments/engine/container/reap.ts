import type Docker from 'dockerode';
import type { DeployedApp } from '../engine.ts';
import type { Daemon } from './daemon.ts';
import { BESIDE, LABELS } from './names.ts';
import { removeContainer } from './open-container.ts';

/**
 * Removes what of this installation runs for none of these apps: left by a server that was killed. Answers their
 * names.
 */
export async function reapContainers(
  { docker }: Daemon,
  instance: string,
  live: readonly Pick<DeployedApp, 'deploymentId'>[],
): Promise<string[]> {
  const ids = new Set(live.map(({ deploymentId }) => deploymentId));
  const filters = { label: [`${LABELS.instance}=${instance}`] };
  const found = await docker.listContainers({ all: true, filters });
  const stays = ({ Labels, State }: Docker.ContainerInfo) =>
    ids.has(Labels[LABELS.deployment] ?? '') && Labels[LABELS.process] !== BESIDE && State === 'running';
  const left = found.filter((container) => !stays(container));
  await Promise.all(left.map(({ Id }) => removeContainer(docker.getContainer(Id))));
  return left.flatMap(({ Names }) => Names.map((name) => name.replace(/^\//, '')));
}
