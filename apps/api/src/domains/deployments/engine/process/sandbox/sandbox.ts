import { existsSync, readFileSync } from 'node:fs';
import { byteSize } from '../../../../../platform/byte-size.ts';
import type { RunLimits } from '../../runtime.ts';
import type { DiskImages } from '../disk-images.ts';
import { type Bubblewrap, findBubblewrap, isSystemPath } from './bubblewrap.ts';
import { type ControlGroups, findControlGroups } from './control-groups.ts';
import { type Isolation, isolationOf } from './isolation.ts';
import { findNetworks, type Names, type Networks, type Ports } from './network.ts';
import type { Walls } from './walls.ts';

/** What this machine offers to keep projects' processes apart, found once and tried out. */
export interface Sandbox {
  bubblewrap: Bubblewrap | undefined;
  networks: Networks | undefined;
  /** Names of hosts and name servers in the network of the machine. */
  names: Names;
  /** Programs that are not the system's own, which every run may read. */
  readable: readonly string[];
  isolation: Isolation;
  open(limits: RunLimits): Promise<Walls>;
  /** Removes what was made for it, once nothing runs. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Where programs are found. */
  path: string;
  instance: string;
  /** Files and folders of the toolchain. */
  readable: readonly string[];
  /** TCP ports of the machine that runs may connect to. */
  ports: () => Ports;
  /** Whether a project's processes are kept together without bubblewrap. */
  keepsTogether: boolean;
  /** What holds disks to their size, or why nothing does. */
  disks: DiskImages | string;
}

const MB = 1024 ** 2;
const HOST = '127.0.0.1';

export async function findSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { path, instance, ports, readable, keepsTogether, disks } = options;
  const bubblewrap = await findBubblewrap(path);
  const hasFiles = typeof bubblewrap !== 'string';
  const networks = hasFiles ? await findNetworks(path, { instance, ports }) : bubblewrap;
  // Without bubblewrap a process of root's becomes the project's account before it could join a group.
  const groups = hasFiles || process.getuid?.() !== 0 ? findControlGroups(instance) : undefined;
  groups?.sweep();
  const owned = typeof networks === 'string' ? undefined : networks;
  return {
    bubblewrap: hasFiles ? bubblewrap : undefined,
    networks: owned,
    names: { hosts: textOf('/etc/hosts'), resolvers: textOf('/etc/resolv.conf') },
    readable: readable.filter((file) => existsSync(file) && !isSystemPath(file)),
    isolation: isolationOf({ bubblewrap, networks, groups, disks, keepsTogether }),
    open: (limits) => openWalls({ networks: owned, groups }, limits),
    async close() {
      await owned?.close();
      groups?.close();
    },
  };
}

let count = 0;

async function openWalls(
  { networks, groups }: { networks: Networks | undefined; groups: ControlGroups | undefined },
  limits: RunLimits,
): Promise<Walls> {
  const network = await networks?.open();
  count += 1;
  const group = groups?.open(`run-${process.pid}-${count}`, limits);
  return {
    host: network?.host ?? HOST,
    hasOwnNetwork: network !== undefined,
    enterNetwork: network?.enter ?? [],
    groups: group?.folders ?? [],
    holdsMemory: groups?.controllers.includes('memory') ?? false,
    shortage: () =>
      group?.isOutOfMemory() ? `ran out of memory (${byteSize(limits.memory * MB)})` : undefined,
    async close() {
      await Promise.all([network?.close(), group?.remove()]);
    },
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
