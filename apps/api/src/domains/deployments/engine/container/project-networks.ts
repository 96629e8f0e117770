import { createHash, randomInt } from 'node:crypto';
import type Docker from 'dockerode';
import type { Logger } from 'pino';
import type { Ports } from '../process/sandbox/network.ts';
import { PREFIX } from '../process/sandbox/network-rules.ts';
import { type Daemon, isMissing, statusOf } from './daemon.ts';
import type { Firewall } from './firewall.ts';
import { inSubnet, openDoor } from './machine-door.ts';
import { builderLabels, builderName, networkName, projectLabels } from './names.ts';

/** The network of one project, which none but its containers is in, or nothing but what builds it. */
export interface ProjectNetwork {
  name: string;
  /** This machine's address there. */
  gateway: string;
  /** Names that stand for this machine in its containers. */
  hosts: readonly string[];
}

export interface ProjectNetworks {
  /** The network of a project, made where there is none, with what the project is given of this machine. */
  open(projectId: string): Promise<ProjectNetwork>;
  /** Leads open networks to the ports of this machine that there are by now, where the firewall does not. */
  renew(): Promise<void>;
  /** Once none of its containers is left. */
  remove(projectId: string): Promise<void>;
  close(): void;
}

/** What this machine is called in containers: of a domain for such names (ICANN resolution 2024.07.29.06). */
export const MACHINE = 'nephos.internal';

/** The half of 198.18.0.0/15 (RFC 2544) that runs do not use. */
export const RANGE = '198.19.0.0/16';
/** Stands for this machine in steps of builds, wherever their network is: layers are known by the hosts of their steps. */
export const MACHINE_OF_BUILDS = '198.19.255.253';
/**
 * So many networks find place in it, each with 61 containers at most. The last block of addresses is none: builders have
 * one of their own inside, and single ones stand for this machine.
 */
const NETWORKS = 1023;
const PER_BLOCK = 4;
const SIZE = 64;
const ATTEMPTS = 20;

export interface NetworkOptions {
  instance: string;
  log: Logger;
  /** TCP ports of this machine that containers may connect to. */
  ports: () => Ports;
  /** Leads to those ports; where there is none, we do. */
  firewall: () => Firewall | undefined;
}

/** What a network of a project is made as. */
interface Naming {
  nameOf(projectId: string): string;
  bridgeOf(projectId: string): string;
  labelsOf(instance: string, projectId: string): Record<string, string>;
}

const OF_APPS: Naming = { nameOf: networkName, bridgeOf, labelsOf: projectLabels };

/** Apart from that of the project's app: what a build starts is none of it. */
const OF_BUILDS: Naming = {
  nameOf: builderName,
  bridgeOf: (projectId) => bridgeOf(`build ${projectId}`),
  labelsOf: builderLabels,
};

export function createProjectNetworks(daemon: Daemon, options: NetworkOptions): ProjectNetworks {
  return createNetworks(daemon, options, OF_APPS);
}

/** The same for what builds projects. */
export function createBuilderNetworks(daemon: Daemon, options: NetworkOptions): ProjectNetworks {
  return createNetworks(daemon, options, OF_BUILDS);
}

function createNetworks(
  daemon: Daemon,
  { instance, log, ports, firewall }: NetworkOptions,
  { nameOf, bridgeOf, labelsOf }: Naming,
): ProjectNetworks {
  const { docker } = daemon;
  const opening = new Map<string, Promise<unknown>>();
  const doors = new Map<string, ReturnType<typeof openDoor>>();

  const open = async (projectId: string): Promise<ProjectNetwork> => {
    const name = nameOf(projectId);
    const { subnet, gateway } =
      (await find(docker, name)) ??
      (await make(docker, { name, bridge: bridgeOf(projectId), labels: labelsOf(instance, projectId) }));
    const rules = firewall();
    if (rules) await rules.enforce(bridgeOf(projectId));
    else {
      const door = doors.get(projectId) ?? openDoor({ gateway, admits: inSubnet(subnet), log });
      doors.set(projectId, door);
      await door.lead(ports().loopback);
    }
    return { name, gateway, hosts: [MACHINE] };
  };
  const shut = (projectId: string) => {
    doors.get(projectId)?.close();
    doors.delete(projectId);
  };
  return {
    /** One at a time of each project: Docker takes a name twice. */
    open(projectId) {
      const opened = (opening.get(projectId) ?? Promise.resolve())
        .catch(() => {})
        .then(() => open(projectId));
      opening.set(projectId, opened);
      return opened;
    },
    async renew() {
      for (const door of doors.values()) await door.lead(ports().loopback);
    },
    async remove(projectId) {
      shut(projectId);
      opening.delete(projectId);
      await docker
        .getNetwork(nameOf(projectId))
        .remove()
        .catch((error) => {
          if (!isMissing(error)) throw error;
        });
    },
    close() {
      for (const projectId of [...doors.keys()]) shut(projectId);
    },
  };
}

interface Place {
  subnet: string;
  gateway: string;
}

async function find(docker: Docker, name: string): Promise<Place | undefined> {
  try {
    const { IPAM } = await docker.getNetwork(name).inspect();
    const [config] = IPAM?.Config ?? [];
    if (config?.Subnet && config.Gateway) return { subnet: config.Subnet, gateway: config.Gateway };
    throw new Error(`the network ${name} has no subnet`);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function make(
  docker: Docker,
  { name, bridge, labels }: { name: string; bridge: string; labels: Record<string, string> },
): Promise<Place> {
  for (let attempt = 1; ; attempt++) {
    const place = placeOf(randomInt(NETWORKS));
    try {
      await docker.createNetwork({
        ...{ Name: name, Driver: 'bridge', CheckDuplicate: true },
        IPAM: { Driver: 'default', Config: [{ Subnet: place.subnet, Gateway: place.gateway }] },
        Options: { 'com.docker.network.bridge.name': bridge },
        Labels: labels,
      });
      return place;
    } catch (error) {
      // Its addresses are another network's already, of this daemon (403) or of somebody else on the machine (500).
      const isTaken = statusOf(error) === 403 || statusOf(error) === 500;
      if (!isTaken || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The first address that is not the network's own is this machine's. */
export function placeOf(network: number): Place {
  const third = Math.floor(network / PER_BLOCK);
  const first = (network % PER_BLOCK) * SIZE;
  return { subnet: `198.19.${third}.${first}/26`, gateway: `198.19.${third}.${first + 1}` };
}

/** Names of interfaces have 15 characters at most. By how it begins it is known to the rules of the machine. */
export function bridgeOf(projectId: string): string {
  return `${PREFIX}${createHash('sha256')
    .update(projectId)
    .digest('hex')
    .slice(0, 15 - PREFIX.length)}`;
}
