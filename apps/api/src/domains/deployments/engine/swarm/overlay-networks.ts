import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Daemon, isMissing, statusOf } from '../container/daemon.ts';
import { inSubnet, type MachineDoor, openDoor } from '../container/machine-door.ts';
import { networkName, projectLabels } from '../container/names.ts';
import { MACHINE, type ProjectNetworks } from '../container/project-networks.ts';
import type { Ports } from '../process/sandbox/network.ts';
import type { SwarmState } from './swarm-state.ts';

/** The bridge by which containers of a swarm's networks reach the rest of the world. */
const GATEWAY_BRIDGE = 'docker_gwbridge';
/** RFC 863. */
const DISCARD_PORT = 9;
const REMOVE_ATTEMPTS = 40;
const REMOVE_MS = 500;

interface OverlayParts {
  instance: string;
  log: Logger;
  ports: () => Ports;
  swarm: () => SwarmState;
}

/** Networks that span the machines of the swarm, one per project. */
export function createOverlayNetworks(
  { docker }: Daemon,
  { instance, log, ports, swarm }: OverlayParts,
): ProjectNetworks {
  const opening = new Map<string, Promise<void>>();
  let door: MachineDoor | undefined;
  let gateway = '';

  /** Machines come and go: who is let in is asked at each connection. */
  const open = async () => {
    const here = swarm()
      .machines()
      .find(({ isHere }) => isHere);
    if (!here) throw new Error('this machine is in no swarm');
    gateway ||= await ownAddress(here.address);
    const bridge = await subnetOf(docker);
    const isLocal = bridge ? inSubnet(bridge) : () => false;
    door ??= openDoor({
      gateway,
      log,
      admits: (peer) =>
        isLocal(peer) ||
        swarm()
          .machines()
          .some(({ address }) => address === peer),
    });
    await door.lead(ports().loopback);
  };

  const make = async (projectId: string) => {
    const name = networkName(projectId);
    const found = await docker.listNetworks({ filters: { name: [name] } });
    if (found.some(({ Name }) => Name === name)) return;
    await docker.createNetwork({
      ...{ Name: name, Driver: 'overlay', CheckDuplicate: true },
      // For commands and terminals, which are containers of this machine.
      Attachable: true,
      Labels: projectLabels(instance, projectId),
    });
  };

  return {
    async open(projectId) {
      const name = networkName(projectId);
      // One at a time of each project: Docker takes a name twice.
      const made = (opening.get(projectId) ?? Promise.resolve()).catch(() => {}).then(() => make(projectId));
      opening.set(projectId, made);
      await Promise.all([made, open()]);
      return { name, gateway, hosts: [MACHINE] };
    },
    async renew() {
      await door?.lead(ports().loopback);
    },
    async remove(projectId) {
      opening.delete(projectId);
      const network = docker.getNetwork(networkName(projectId));
      for (let attempt = 1; ; attempt++) {
        try {
          await network.remove();
          return;
        } catch (error) {
          if (isMissing(error)) return;
          // Its last tasks are yet to end.
          if (statusOf(error) === undefined || attempt === REMOVE_ATTEMPTS) throw error;
          await wait(REMOVE_MS);
        }
      }
    },
    close: () => door?.close(),
  };
}

async function subnetOf(docker: Daemon['docker']): Promise<string | undefined> {
  try {
    return (await docker.getNetwork(GATEWAY_BRIDGE).inspect()).IPAM?.Config?.[0]?.Subnet;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The address of this machine by which the others reach it: the one from which it reaches the swarm's own. Nothing is
 * sent.
 */
async function ownAddress(host: string): Promise<string> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    const connected = once(socket, 'connect');
    socket.connect(DISCARD_PORT, host);
    await connected;
    return socket.address().address;
  } finally {
    socket.close();
  }
}
