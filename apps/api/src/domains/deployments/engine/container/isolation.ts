import type { IsolationFact } from '../engine.ts';

/** What the daemon says of its machine: parts of `GET /info` of the Engine API. */
export interface DaemonInfo {
  MemoryLimit?: boolean;
  CpuCfsQuota?: boolean;
  PidsLimit?: boolean;
}

/** Sentences that say why there are none; '' where there are. */
export interface Lacking {
  noFirewall: string;
  noBuilders: string;
}

/** What is kept apart here, in words for whoever runs the server. */
export function isolationOf(info: DaemonInfo, { noFirewall, noBuilders }: Lacking): readonly IsolationFact[] {
  return [
    {
      name: 'Files',
      holds: true,
      detail:
        'A project sees its image and its disks, and nothing else of this server. An app that writes too much outside of its disks is stopped.',
    },
    {
      name: 'Processes',
      holds: true,
      detail: "A project sees only its own processes, and they can't outlive their container.",
    },
    network(noFirewall),
    builds(noBuilders),
    limit('Memory', info.MemoryLimit),
    limit('CPU', info.CpuCfsQuota),
    limit('Process count', info.PidsLimit),
    {
      name: 'Disk',
      holds: false,
      detail:
        "What an app writes to its persistent disks isn't limited while it runs. They are Docker volumes, which have no size of their own.",
      isExtra: true,
    },
    {
      name: 'Accounts',
      holds: true,
      detail:
        'Programs run as the account that their image names, without privileges over this server and without a way to gain any. Docker is not reachable from containers.',
    },
  ];
}

function network(noFirewall: string): IsolationFact {
  const name = 'Network';
  if (noFirewall === '') {
    const detail =
      "A project reaches the internet (IPv4 only), this server's private networks, managed databases and the console's public address, but no other project, no other port of this server and no cloud metadata.";
    return { name, holds: true, detail };
  }
  const detail =
    'Projects are in networks of their own and cannot reach each other, but they reach what listens on the addresses of this server other than loopback, and cloud metadata.';
  return { name, holds: false, detail: `${detail} ${noFirewall}` };
}

function builds(noBuilders: string): IsolationFact {
  const name = 'Builds';
  const isOfBuilds = true;
  if (noBuilders === '') {
    const detail =
      "Each project is built by a Docker of its own in a container, with a cache of its own and the limits of builds. Builds reach what apps reach, and of this server's images only the base images that the settings name.";
    return { name, holds: true, detail, isOfBuilds };
  }
  const detail =
    "Steps of builds run in Docker's default network, and Docker itself fetches what a Dockerfile names: a build can reach what listens on this server, also on loopback, and cloud metadata. Its memory and CPU aren't limited.";
  return { name, holds: false, detail: `${detail} ${noBuilders}`, isOfBuilds };
}

function limit(name: string, holds = false): IsolationFact {
  if (!holds) return { name, holds, detail: 'Not limited. This kernel has no control group for it.' };
  const detail = name === 'CPU' ? 'Limited by the kernel where a limit is set.' : 'Limited by the kernel.';
  return { name, holds, detail };
}
