import type Docker from 'dockerode';
import {
  CAPABILITIES,
  type ContainerOptions,
  LOG_DRIVER,
  labelsOf,
  MB,
  NANO_PER_HUNDREDTH,
} from '../container/container-options.ts';
import { mountsOf } from '../container/disks.ts';
import type { RunLimits } from '../runtime.ts';

export const NANO_PER_MS = 1_000_000;

export interface ServiceOptions extends Omit<ContainerOptions, 'isAlone' | 'hasTerminal'> {
  /** Milliseconds between SIGTERM and SIGKILL. */
  grace: number;
  /** Where it listens; undefined for a worker. */
  port: number | undefined;
  /** Id of the machine that it is put on. */
  machine: string;
}

/**
 * One instance of a process, as a service of one task, which the swarm never starts again: that is our supervision's to
 * do, so that crashes are counted and told as everywhere else. It is found by its process's name in the project's
 * network, and without IPVS (`dnsrr`), and from outside by a port of its machine that Docker chooses.
 */
export function serviceOptions(options: ServiceOptions): Docker.ServiceSpec {
  const { name, app, origin, network, port, machine } = options;
  return {
    Name: name,
    Labels: labelsOf(options.instance, app, origin),
    Mode: { Replicated: { Replicas: 1 } },
    EndpointSpec: {
      Mode: 'dnsrr',
      ...(port !== undefined && {
        Ports: [{ Protocol: 'tcp', TargetPort: port, PublishMode: 'host' }],
      }),
    },
    TaskTemplate: {
      ContainerSpec: containerOf(options),
      Networks: [{ Target: network.name, Aliases: [origin.process] }],
      RestartPolicy: { Condition: 'none' },
      Placement: { Constraints: [`node.id==${machine}`] },
      Resources: { Limits: limitsOf(options.limits) },
      LogDriver: { Name: LOG_DRIVER.Type, Options: LOG_DRIVER.Config },
    },
  };
}

/** What of it matters when it ends: `grace` as in `ServiceOptions`, and whether it has a disk. */
export function madeBy({ TaskTemplate }: Docker.ServiceSpec): { grace: number; holdsDisk: boolean } {
  const { StopGracePeriod = 0, Mounts = [] } = (TaskTemplate as Docker.ContainerTaskSpec).ContainerSpec ?? {};
  return { grace: StopGracePeriod / NANO_PER_MS, holdsDisk: (Mounts ?? []).length > 0 };
}

function containerOf({
  app,
  image,
  command,
  env,
  grace,
  network,
  disks,
}: ServiceOptions): Docker.ContainerSpec {
  return {
    Image: image,
    ...(command.length > 0 && { Args: [...command] }),
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    Hostname: app.slug,
    Init: true,
    Hosts: network.hosts.map((host) => `${network.gateway} ${host}`),
    StopGracePeriod: grace * NANO_PER_MS,
    CapabilityDrop: ['ALL'],
    CapabilityAdd: CAPABILITIES.map((name) => `CAP_${name}`),
    // Known from version 1.44 of the API on (Docker 25), and passed over by earlier ones.
    Privileges: { NoNewPrivileges: true } as Docker.Privileges,
    Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
    Mounts: mountsOf(disks),
  };
}

export function limitsOf({ memory, cpu, tasks }: RunLimits) {
  return {
    MemoryBytes: memory * MB,
    Pids: tasks,
    ...(cpu !== null && { NanoCPUs: cpu * NANO_PER_HUNDREDTH }),
  };
}
