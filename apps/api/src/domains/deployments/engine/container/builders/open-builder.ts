import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Settings } from '../../../../../core/settings.ts';
import { duration } from '../../../../../platform/duration.ts';
import type { Limits } from '../../limits.ts';
import { machineResolvers } from '../../process/sandbox/network.ts';
import { connectDocker } from '../connect-docker.ts';
import type { Daemon } from '../daemon.ts';
import { builderLabels, builderName } from '../names.ts';
import { removeContainer } from '../open-container.ts';
import type { ProjectNetworks } from '../project-networks.ts';
import { builderFiles, builderOptions, type OuterDaemon } from './builder-options.ts';
import { openBuilderSocket } from './builder-socket.ts';

export interface BuilderParts {
  daemon: Daemon;
  settings: Settings;
  limits: Limits;
  instance: string;
  networks: ProjectNetworks;
}

/** A daemon of its own in a container, which one project is built by. */
export interface OpenBuilder {
  docker: Docker;
  /** As `DOCKER_HOST` has it. */
  host: string;
  /** The container that it runs in, of this machine's daemon. */
  container: Docker.Container;
  isUp(): Promise<boolean>;
  /** Ends it. What its volume keeps stays. Once all is gone; what Docker does not remove is left to the next start. */
  close(): Promise<void>;
}

const POLL_MS = 150;
/** A builder that takes longer for a sign of life is taken for one that is down. */
const PATIENCE_MS = 10_000;
/** Seconds that its daemon gets to put its things in order. */
const GRACE_S = 3;

/** Starts a builder, in the place of one that was left. '' is a project that none is. */
export async function openBuilder(
  parts: BuilderParts,
  { projectId, image, signal }: { projectId: string; image: string; signal: AbortSignal },
): Promise<OpenBuilder> {
  const { daemon, settings, limits, networks } = parts;
  const name = builderName(projectId || parts.instance);
  const labels = builderLabels(parts.instance, projectId);
  const volume = projectId !== '' && limits.cacheBytes > 0 ? name : undefined;
  const container = daemon.docker.getContainer(name);
  await removeContainer(container);
  const network = await networks.open(projectId || parts.instance);
  const resolvers = [...machineResolvers().text.matchAll(/^nameserver (\S+)/gm)].flatMap(
    ([, at]) => at ?? [],
  );
  const { cacheBytes } = limits;
  const end = async () => {
    await container.stop({ t: GRACE_S }).catch(() => {});
    await removeContainer(container);
    await networks.remove(projectId || parts.instance);
  };
  try {
    const outer: OuterDaemon = await daemon.docker.info();
    if (volume) await daemon.docker.createVolume({ Name: volume, Labels: labels });
    await daemon.docker.createContainer(
      builderOptions({ ...{ name, labels, image, volume, settings, limits, outer }, network: network.name }),
    );
    const files = await builderFiles({ settings, outer, resolvers, cacheBytes });
    await container.putArchive(files, { path: '/' });
    await container.start();
    const socket = await openBuilderSocket(container);
    const docker = connectDocker(socket.path);
    const close = () => socket.close().then(end);
    try {
      await untilUp(container, docker, { signal, time: limits.builderStart });
    } catch (error) {
      await socket.close();
      throw error;
    }
    const isUp = () => {
      const answered = docker.ping().then(
        () => true,
        () => false,
      );
      return Promise.race([answered, wait(PATIENCE_MS, false, { ref: false })]);
    };
    return { docker, host: `unix://${socket.path}`, container, isUp, close };
  } catch (error) {
    await end().catch(() => {});
    throw error;
  }
}

const MAX_SAID = 200;

async function untilUp(
  container: Docker.Container,
  docker: Docker,
  { signal, time }: { signal: AbortSignal; time: number },
): Promise<void> {
  const begun = performance.now();
  for (;;) {
    signal.throwIfAborted();
    if (await docker.ping().catch(() => undefined)) return;
    const { State } = await container.inspect();
    if (!State.Running)
      throw new Error(`it ended with code ${State.ExitCode}: ${await lastWords(container)}`);
    if (performance.now() - begun > time) throw new Error(`it did not answer within ${duration(time)}`);
    await wait(POLL_MS, undefined, { signal });
  }
}

async function lastWords(container: Docker.Container): Promise<string> {
  const said = await container.logs({ stdout: true, stderr: true, tail: 1 });
  // Without a header of Docker's.
  return said.subarray(8).toString().trim().slice(0, MAX_SAID);
}
