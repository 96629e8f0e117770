import type { IsolationFact } from '../engine.ts';

/** Facts that are others on a swarm than on one machine, by their names. */
const OTHERWISE: Record<string, IsolationFact> = {
  Files: {
    name: 'Files',
    holds: true,
    detail:
      "A project sees its image and its disks, and nothing else of the machine it runs on. Only on the console's machine is an app stopped that writes too much outside of its disks.",
  },
  Network: {
    name: 'Network',
    holds: false,
    detail:
      "Projects are in networks of their own and can't reach each other there. But containers reach what listens on the machines, cloud metadata, and the ports at which other projects' apps get their requests, since the rules of other machines are not ours to set. Let nobody else reach those ports, 32768 to 60999. Traffic between machines is not encrypted: databases are protected by their passwords and TLS.",
  },
  Accounts: {
    name: 'Accounts',
    holds: true,
    detail:
      'Programs run as the account that their image names, with few privileges over their container and none over the machine. From Docker 25 on they can not become another account that the image does not let them be. Docker is not reachable from containers.',
  },
};

/** The facts of this machine's containers, as they are on a swarm. */
export function swarmIsolation(facts: readonly IsolationFact[]): readonly IsolationFact[] {
  return facts.map((fact) => OTHERWISE[fact.name] ?? fact);
}
