import type { IsolationFact } from '../../engine.ts';
import type { DiskImages } from '../disk-images.ts';
import type { Bubblewrap } from './bubblewrap.ts';
import type { ControlGroups, Controller } from './control-groups.ts';
import type { Networks } from './network.ts';

export type Isolation = readonly IsolationFact[];

export interface Found {
  bubblewrap: Bubblewrap | string;
  networks: Networks | string;
  groups: ControlGroups | undefined;
  disks: DiskImages | string;
  keepsTogether: boolean;
}

/** What is kept apart here, in words for whoever runs the server. */
export function isolationOf(found: Found): Isolation {
  const { bubblewrap, networks } = found;
  return [
    files(bubblewrap),
    processes(found),
    network(networks),
    limit('Memory', 'memory', found),
    limit('CPU', 'cpu', found),
    limit('Process count', 'pids', found),
    disk(found),
    accounts(),
  ];
}

function files(bubblewrap: Bubblewrap | string): IsolationFact {
  const name = 'Files';
  if (typeof bubblewrap !== 'string') {
    const detail =
      "A project sees its release, its disks and the system's programs, and nothing else of this server. An app whose release takes too much space is stopped.";
    return { name, holds: true, detail };
  }
  const shared =
    process.getuid?.() === 0
      ? "A project can read every file on this server that is open to all accounts, but not other projects' files."
      : 'A project can read and write every file that Nephos can.';
  return { name, holds: false, detail: `${shared} ${bubblewrap}` };
}

function processes({ bubblewrap, keepsTogether }: Found): IsolationFact {
  const name = 'Processes';
  if (typeof bubblewrap !== 'string') {
    return { name, holds: true, detail: "A project sees only its own processes, and they can't outlive it." };
  }
  const detail = keepsTogether
    ? "A project can list other processes, but its own can't outlive it."
    : 'A project can list other processes, and one of its own that detaches itself can outlive it.';
  return { name, holds: false, detail: `${detail} ${bubblewrap}` };
}

function network(networks: Networks | string): IsolationFact {
  const name = 'Network';
  if (typeof networks !== 'string') {
    const detail =
      "A project reaches the internet (IPv4 only), this server's private networks, managed databases and the console's public address, but no other project, no other port of this server and no cloud metadata. Where IPv4 forwarding is off, it is turned on for projects' traffic alone while any run.";
    return { name, holds: true, detail };
  }
  const detail = `Projects share this server's network: they can reach each other, everything that listens on loopback, and cloud metadata.`;
  return { name, holds: false, detail: `${detail} ${networks}` };
}

function limit(name: string, controller: Controller, { groups, bubblewrap }: Found): IsolationFact {
  if (groups?.controllers.includes(controller)) {
    const detail =
      controller === 'cpu' ? 'Limited by the kernel where a limit is set.' : 'Limited by the kernel.';
    return { name, holds: true, detail };
  }
  const watched =
    controller === 'cpu'
      ? 'Not limited.'
      : 'Checked every second: a project that exceeds its limit is stopped.';
  // As root, only what bubblewrap starts can join a group.
  const needsBubblewrap = typeof bubblewrap === 'string' && process.getuid?.() === 0;
  const reason = needsBubblewrap ? bubblewrap : 'This server has no control groups that Nephos can use.';
  return { name, holds: false, detail: `${watched} ${reason}` };
}

function disk({ disks }: Found): IsolationFact {
  const name = 'Disk';
  if (typeof disks !== 'string') {
    const detail =
      "Each persistent disk is a file system of its own, limited by the kernel. Disks that an earlier version of Nephos made stay plain folders and aren't limited.";
    return { name, holds: true, detail, isExtra: true };
  }
  const detail = `What an app writes to its persistent disks isn't limited while it runs. ${disks}`;
  return { name, holds: false, detail, isExtra: true };
}

function accounts(): IsolationFact {
  const name = 'Accounts';
  if (process.getuid?.() === 0) {
    return { name, holds: true, detail: 'Each project runs as an account of its own, without privileges.' };
  }
  return {
    name,
    holds: false,
    detail: 'All projects run as the account that Nephos runs as. Start Nephos as root to change that.',
  };
}
