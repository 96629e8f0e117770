import type Docker from 'dockerode';
import type { DeployedApp } from '../engine.ts';
import type { RunLimits } from '../runtime.ts';
import { type MountedDisk, mountsOf } from './disks.ts';
import { LABELS, projectLabels } from './names.ts';
import type { ProjectNetwork } from './project-networks.ts';

export const MB = 1024 ** 2;
export const NANO_PER_HUNDREDTH = 10_000_000;

/** What programs in images need who begin as root and become another account; nothing that reaches out of a container. */
export const CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'SETUID',
  'SETGID',
  'NET_BIND_SERVICE',
  'KILL',
];

export const LOG_DRIVER = { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } };

export interface ContainerOptions {
  name: string;
  instance: string;
  app: DeployedApp;
  /** Which of the app's processes it is, and which of its instances. */
  origin: { process: string; instance: number };
  image: string;
  /** In the place of the image's own command; empty for that. */
  command: readonly string[];
  /** Whether the command is run by itself, and not by the image's entry point. */
  isAlone: boolean;
  env: Readonly<Record<string, string>>;
  limits: RunLimits;
  network: ProjectNetwork;
  disks: readonly MountedDisk[];
  /** Whether it has a terminal, whose input is open. */
  hasTerminal?: boolean;
}

/** A container of ours, as the Engine API takes it. It is started by us alone: nothing restarts it behind our back. */
export function containerOptions(options: ContainerOptions): Docker.ContainerCreateOptions {
  const { name, image, app, origin, command, isAlone, env, hasTerminal = false } = options;
  return {
    name,
    Image: image,
    Labels: labelsOf(options.instance, app, origin),
    ...(command.length > 0 && (isAlone ? { Entrypoint: [...command] } : { Cmd: [...command] })),
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    Hostname: app.slug,
    Tty: hasTerminal,
    OpenStdin: hasTerminal,
    HostConfig: hostConfig(options),
  };
}

/** What tells an instance of a process from all others. */
export function labelsOf(
  instance: string,
  app: Pick<DeployedApp, 'projectId' | 'deploymentId'>,
  origin: ContainerOptions['origin'],
): Record<string, string> {
  return {
    ...projectLabels(instance, app.projectId),
    [LABELS.deployment]: app.deploymentId,
    [LABELS.process]: origin.process,
    [LABELS.number]: String(origin.instance),
  };
}

function hostConfig({ limits, network, disks }: ContainerOptions): Docker.HostConfig {
  const { memory, cpu, tasks } = limits;
  return {
    Init: true,
    NetworkMode: network.name,
    ExtraHosts: network.hosts.map((host) => `${host}:${network.gateway}`),
    Memory: memory * MB,
    MemorySwap: memory * MB,
    PidsLimit: tasks,
    ...(cpu !== null && { NanoCpus: cpu * NANO_PER_HUNDREDTH }),
    CapDrop: ['ALL'],
    CapAdd: CAPABILITIES,
    SecurityOpt: ['no-new-privileges'],
    Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
    Mounts: mountsOf(disks),
    LogConfig: LOG_DRIVER,
    RestartPolicy: { Name: 'no' },
  };
}
