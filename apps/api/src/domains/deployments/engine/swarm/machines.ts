import { connect } from 'node:net';
import type { ClusterNode } from '@nephos/contracts';
import type Docker from 'dockerode';

/** A machine of the swarm, as we use it. */
export interface Machine extends Omit<ClusterNode, 'instances'> {
  id: string;
  /** As the kernel names its processor. */
  architecture: string;
  /** Whether the swarm has given it up. One that it knows nothing of, since a manager has just begun, may run on. */
  isGivenUp: boolean;
}

/** `Node` of the Engine API, as far as it is read. */
interface FoundNode {
  ID: string;
  Spec: { Role: 'worker' | 'manager'; Availability: Machine['availability'] };
  Description: {
    Hostname: string;
    Platform: { Architecture: string };
    Engine: { EngineVersion: string };
  };
  Status: { State: string; Addr?: string };
  ManagerStatus?: { Addr?: string };
}

/** What the daemon says of its own place in the swarm (`GET /info`). */
export interface Here {
  id: string;
  address: string;
}

export async function readMachines(docker: Docker, here: Here): Promise<Machine[]> {
  const nodes: FoundNode[] = await docker.listNodes();
  return nodes
    .map(({ ID, Spec, Description, Status, ManagerStatus }): Machine => {
      const isHere = ID === here.id;
      return {
        id: ID,
        name: Description.Hostname,
        role: Spec.Role,
        availability: Spec.Availability,
        state: Status.State === 'ready' ? 'ready' : 'down',
        isGivenUp: Status.State === 'down',
        // A manager may be known to itself by the address of all its interfaces.
        address: isHere ? here.address : (hostOf(ManagerStatus?.Addr) ?? Status.Addr ?? ''),
        version: Description.Engine.EngineVersion,
        architecture: Description.Platform.Architecture,
        isHere,
      };
    })
    .sort((a, b) => Number(b.isHere) - Number(a.isHere) || a.name.localeCompare(b.name));
}

/** As an address is written before a port (RFC 3986 §3.2.2). */
export function hostInUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function hostOf(address: string | undefined): string | undefined {
  return address?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

/** TCP, on which Docker's networks talk to each other (docs.docker.com/engine/swarm/swarm-tutorial). */
const GOSSIP_PORT = 7946;
const PROBE_MS = 1000;
/** So many probes in a row that nobody answered tell of a machine that is gone. */
const SILENT_PROBES = 3;

/** Tells sooner than the swarm does that a machine is gone: it takes that for so three heartbeats later. */
export interface Probes {
  /** Asks each of these once per second. */
  watch(machines: readonly Pick<Machine, 'id' | 'address' | 'isHere'>[]): void;
  isSilent(id: string): boolean;
  /** How often it ceased to answer, as where its Docker is started again. */
  losses(id: string): number;
  close(): void;
}

interface Probe {
  address: string;
  timer: NodeJS.Timeout;
  hasAnswered: boolean;
  misses: number;
  isOpen: boolean;
  losses: number;
}

export function createProbes(onChange: () => void): Probes {
  const probes = new Map<string, Probe>();
  const end = (id: string) => {
    clearInterval(probes.get(id)?.timer);
    probes.delete(id);
  };
  const isSilent = ({ hasAnswered, misses }: Probe) => hasAnswered && misses >= SILENT_PROBES;
  const ask = async (id: string) => {
    const probe = probes.get(id);
    if (!probe) return;
    const answer = await knock(probe.address);
    const before = isSilent(probe);
    // A machine that refuses has no Docker at the moment; what runs on it may run on.
    probe.misses = answer === 'silent' ? probe.misses + 1 : 0;
    probe.hasAnswered ||= answer === 'open';
    if (probe.isOpen && answer !== 'open') probe.losses += 1;
    probe.isOpen = answer === 'open';
    if (before !== isSilent(probe)) onChange();
  };
  return {
    watch(machines) {
      const others = machines.filter(({ isHere, address }) => !isHere && address !== '');
      for (const [id, { address }] of probes) {
        if (!others.some((other) => other.id === id && other.address === address)) end(id);
      }
      for (const { id, address } of others) {
        if (probes.has(id)) continue;
        const timer = setInterval(() => void ask(id), PROBE_MS).unref();
        const nothing = { hasAnswered: false, misses: 0, isOpen: false, losses: 0 };
        probes.set(id, { address, timer, ...nothing });
        void ask(id);
      }
    },
    isSilent(id) {
      const probe = probes.get(id);
      return probe !== undefined && isSilent(probe);
    },
    losses: (id) => probes.get(id)?.losses ?? 0,
    close() {
      for (const id of [...probes.keys()]) end(id);
    },
  };
}

function knock(host: string): Promise<'open' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: GOSSIP_PORT });
    const finish = (answer: 'open' | 'refused' | 'silent') => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MS, () => finish('silent'));
    socket.once('connect', () => finish('open'));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      finish(error.code === 'ECONNREFUSED' ? 'refused' : 'silent'),
    );
  });
}
