import { FRAMEWORKS } from '@nephos/contracts';
import type { SecretsBox } from '../../../../platform/secrets-box.ts';
import { type ContainerRuntimeOptions, createContainerRuntime } from '../container/container-runtime.ts';
import { giveDisks, mountsOf, openDisks, sharesDisks } from '../container/disks.ts';
import type { ContainerServe } from '../container/images.ts';
import { LABELS, projectLabels } from '../container/names.ts';
import { removeContainer } from '../container/open-container.ts';
import { releaseImage } from '../container/release-image.ts';
import { baseImageOf } from '../dockerfile/base-image.ts';
import type { Cluster, DeployedApp } from '../engine.ts';
import { isMountFailure } from '../mount-failure.ts';
import type { ReleaseStart, Runtime } from '../runtime.ts';
import { startAppService } from './app-service.ts';
import { swarmIsolation } from './isolation.ts';
import { hostInUrl } from './machines.ts';
import { removeService, type SwarmParts } from './open-service.ts';
import { createOverlayNetworks } from './overlay-networks.ts';
import { createRemoteFigures } from './remote-figures.ts';
import { assertEndedElsewhere } from './runs-elsewhere.ts';
import { findServices } from './services.ts';
import { createSwarmState, type SwarmState } from './swarm-state.ts';

export interface SwarmRuntimeOptions extends ContainerRuntimeOptions {
  secrets: Pick<SecretsBox, 'deriveKey'>;
}

/**
 * Apps are services of the swarm that the Docker daemon of this machine manages, one per instance. Images are built and
 * pulled and commands are run on this machine, as by the container runtime, which also keeps disks unless they are shared.
 */
export function createSwarmRuntime(options: SwarmRuntimeOptions): Runtime {
  const { settings, log, instance, limits, secrets } = options;
  let swarm: SwarmState | undefined;
  const state = () => {
    if (!swarm) throw new Error('the runtime is being made');
    return swarm;
  };
  const base = createContainerRuntime(options, {
    createNetworks: (daemon, given) => createOverlayNetworks(daemon, { ...given, swarm: state }),
    ...{ hasFirewall: false, holdsDisks: false },
  });
  const { daemon } = base.parts;
  swarm = createSwarmState({ daemon, instance, log }, settings.dockerHost);
  const remoteFigures = createRemoteFigures({
    ...{ daemon, swarm, instance, log, period: limits.sampleTime },
    image: baseImageOf('nodejs', settings.baseImages, { node: undefined, python: undefined }),
    token: Buffer.from(secrets.deriveKey(`figures of ${instance}`)).toString('base64url'),
  });
  const parts: SwarmParts = {
    ...{ containers: base.parts, swarm, placements: new Map(), remoteFigures },
  };
  const reason = () => state().reason();
  let isClosing = false;

  return {
    ...base,
    runtimes: () => {
      const known = base.runtimes().find(({ available }) => !available)?.reason ?? '';
      const why = reason() || known;
      return FRAMEWORKS.map((framework) => ({ framework, available: why === '', reason: why }));
    },
    containers: () => ({ available: reason() === '', reason: reason() }),
    isolation: () => swarmIsolation(base.isolation()),
    cluster: createCluster(parts),
    async start(live) {
      await base.start(live);
      await state().start();
      remoteFigures.start();
      const met = whileItAnswers(state(), () => daemon.patiently(() => reapServices(parts, live)));
      const settled = met
        .catch((error) => {
          if (!isClosing)
            log.error({ err: error }, 'what an earlier server left in the swarm is still there');
        })
        .then(async () => {
          // What was left may run on its disks yet: the next server puts nothing back before it has removed that.
          if (!isClosing) await base.settle(live);
        });
      // Where the swarm does not answer, the server starts nevertheless.
      if (reason() === '') await daemon.unlessAway(settled);
    },
    async close() {
      isClosing = true;
      remoteFigures.close();
      state().close();
      await base.close();
    },
    async prepare(start) {
      if (start.app.disks.length === 0) return;
      await base.prepare(start);
      if (!(await sharesDisks(base.parts, start.app.disks)))
        start.log.system("The app has a disk, so it runs on the console's machine, where its disk is.");
      if (reason() === '') await prepareDisks(parts, start);
    },
    backups: {
      ...base.backups,
      async restore(backup) {
        await daemon.patiently(async () => {
          if (await sharesDisks(base.parts, [{ id: backup.diskId }]))
            await assertEndedElsewhere(parts, backup.projectId);
        });
        await base.backups.restore(backup);
      },
    },
    startInstance: ({ serve, ...start }) => {
      if (serve.kind !== 'container') throw new Error('the release is of another runtime');
      return startAppService(parts, { ...start, serve });
    },
    whyNoTerminal: reason,
    async removeProject(projectId) {
      // It is tried again later.
      if (reason() !== '') throw new Error(reason());
      await removeServices(parts, ({ project }) => project === projectId);
      await base.removeProject(projectId);
    },
  };
}

/** Looks that are answered before each further try: a swarm that finds its leader again may lose it a few times more. */
const LOOKS = [2, 4, 8, 16, 32];

/** Does it as soon as the swarm answers, and again where it ceased to meanwhile. Rejects when the state is closed. */
async function whileItAnswers(swarm: SwarmState, work: () => Promise<void>): Promise<void> {
  const { signal } = new AbortController();
  for (let tried = 0; ; tried += 1) {
    while (swarm.reason() !== '') await swarm.looked(signal);
    try {
      return await work();
    } catch (error) {
      const looks = LOOKS[tried];
      if (looks === undefined) throw error;
      for (let left = looks; left > 0; left -= 1) await swarm.looked(signal);
    }
  }
}

/** A disk that is root's yet is given to the account of the image by a container that is never started. */
async function prepareDisks({ containers }: SwarmParts, { app, serve, log }: ReleaseStart): Promise<void> {
  const { daemon, instance } = containers;
  const image = await releaseImage(containers, { app, serve: serve as ContainerServe, log });
  const disks = await openDisks(containers, { app, folder: image.folder });
  const container = await daemon.docker.createContainer({
    Image: image.id,
    Cmd: ['none'],
    NetworkDisabled: true,
    Labels: projectLabels(instance, app.projectId),
    HostConfig: { Mounts: mountsOf(disks) },
  });
  try {
    await giveDisks(container, { disks, user: image.user });
  } catch (error) {
    // The start of the app comes upon the same, tells of it, and is tried again.
    if (!isMountFailure(error)) throw error;
  } finally {
    await removeContainer(container);
  }
}

/** Removes what of this installation runs for none of these apps: left by a server that was killed. */
async function reapServices(
  parts: SwarmParts,
  live: readonly Pick<DeployedApp, 'deploymentId'>[],
): Promise<void> {
  const ids = new Set(live.map(({ deploymentId }) => deploymentId));
  await removeServices(parts, ({ deployment }) => !ids.has(deployment));
}

async function removeServices(
  parts: SwarmParts,
  isMeant: (of: { project: string; deployment: string }) => boolean,
): Promise<void> {
  const { daemon, instance } = parts.containers;
  const { docker } = daemon;
  const found = await findServices(docker, `${LABELS.instance}=${instance}`);
  const meant = found.filter(({ labels }) =>
    isMeant({ project: labels[LABELS.project] ?? '', deployment: labels[LABELS.deployment] ?? '' }),
  );
  await Promise.all(meant.map(({ id }) => removeService(parts, docker.getService(id))));
}

/** TCP, where managers answer the others unless `docker swarm init` was told another one. */
const DEFAULT_MANAGER_PORT = '2377';

function createCluster({ containers, swarm, placements }: SwarmParts): Cluster {
  const { docker } = containers.daemon;
  return {
    nodes: () =>
      swarm.machines().map(({ id, architecture: _, isGivenUp: __, ...machine }) => ({
        ...machine,
        state: swarm.isUp(id) ? 'ready' : 'down',
        instances: [...placements.values()].filter((placed) => placed.machine === id).length,
      })),
    reason: swarm.reason,
    async joinCommand({ renew }) {
      if (renew) {
        const { Version, Spec } = await docker.swarmInspect();
        await docker.swarmUpdate({ ...Spec, version: Version?.Index, rotateWorkerToken: true });
      }
      const { JoinTokens } = await docker.swarmInspect();
      const here = swarm.machines().find(({ isHere }) => isHere);
      if (!here) throw new Error('this machine is in no swarm');
      const { ManagerStatus } = await docker.getNode(here.id).inspect();
      const [port = DEFAULT_MANAGER_PORT] = /\d+$/.exec(ManagerStatus?.Addr) ?? [];
      return `docker swarm join --token ${JoinTokens?.Worker} ${hostInUrl(here.address)}:${port}`;
    },
  };
}
