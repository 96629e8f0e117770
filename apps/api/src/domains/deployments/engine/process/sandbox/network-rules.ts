/**
 * Where the ends of runs' connections to the machine have their addresses: two for each run, of the range for tests of
 * network equipment (RFC 2544: 198.18.0.0/15), which no network of people's is in. Containers have the other half.
 */
export const RANGE = '198.18.0.0/16';
const FIRST = (198 << 24) + (18 << 16);

/** So many runs can there be at a time. */
export const LINKS = 32_768;

/** Interfaces of runs on the machine begin so, whichever installation they are of. */
export const PREFIX = 'nph';

/** The name of a connection's end on the machine. */
export function interfaceOf(link: number): string {
  return `${PREFIX}${link.toString(16).padStart(4, '0')}`;
}

/** The addresses of a connection: of the machine's end and of the run's own. */
export function addressesOf(link: number): { machine: string; run: string } {
  const first = (FIRST + link * 2) >>> 0;
  return { machine: written(first), run: written(first + 1) };
}

function written(address: number): string {
  return [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.');
}

/**
 * Where clouds tell a machine its secrets: link-local addresses, and those of Alibaba, Azure and Oracle. Some answer
 * names there, too.
 */
const METADATA = '{ 169.254.0.0/16, 100.100.100.200, 168.63.129.16, 192.0.0.192 }';

/** Stands for a name server that listens on the machine's loopback. */
export const RESOLVER = '198.19.255.254';

export interface Admitted {
  /** Addresses of what comes in at our interfaces: `RANGE`, unless it is given. */
  range?: string;
  /** TCP ports of the machine's loopback that runs reach at 127.0.0.1: managed databases. */
  loopback: readonly number[];
  /** TCP ports at the machine's other addresses: those of databases again, and the console's public one. */
  public: readonly number[];
  /** A name server on the machine's loopback, where it has no other. */
  resolver: string | undefined;
  /** Interfaces that forward because of us: of what comes in there, nothing but answers to runs is passed on. */
  closed: readonly string[];
}

/**
 * Rules of the machine: from a run one reaches the internet and what is admitted, nothing else of the machine, no other
 * run, and not what clouds tell of the machine.
 */
export function machineRules(
  table: string,
  { range = RANGE, loopback, public: open, resolver, closed }: Admitted,
): string {
  const from = `iifname "${PREFIX}*"`;
  const to = `oifname "${PREFIX}*"`;
  const dns = resolver
    ? [`${from} ip daddr ${RESOLVER} meta l4proto { tcp, udp } th dport 53 dnat to ${resolver}`]
    : [];
  // A name server of the machine may answer its loopback alone.
  const asLoopback = resolver ? [`${from} ct original ip daddr ${RESOLVER} snat to 127.0.0.1`] : [];
  const names = `{ ${closed.map((name) => JSON.stringify(name)).join(', ')} }`;
  // Where it would go out does not matter: whether a packet is passed on depends on where it comes in.
  const stayClosed = closed.length > 0 ? [`iifname ${names} oifname != "${PREFIX}*" drop`] : [];
  const given = loopback.map((port) => `${from} ip daddr ${range} tcp dport ${port} dnat to 127.0.0.1`);
  const admitted = open.map((port) => `${from} tcp dport ${port} accept`);
  return `table ip ${table}
delete table ip ${table}
table ip ${table} {
${chain('prerouting', 'type nat hook prerouting priority -100', [...dns, ...given])}
${chain('postrouting', 'type nat hook postrouting priority 100', [`ip saddr ${range} oifname != "${PREFIX}*" masquerade`])}
${chain('locally', 'type nat hook input priority 100', asLoopback)}
${chain('input', 'type filter hook input priority 0', [
  `${from} ct state established,related accept`,
  `${from} ct status dnat accept`,
  ...admitted,
  ...refuse(from),
])}
${chain('forward', 'type filter hook forward priority 0', [
  ...stayClosed,
  ...refuse(`${from} ${to}`),
  `${from} ip daddr ${METADATA} meta l4proto { tcp, udp } th dport 53 accept`,
  ...refuse(`${from} ip daddr ${METADATA}`),
  `${from} accept`,
  `${to} ct state established,related accept`,
  `${to} drop`,
])}
}
`;
}

/** The kernel answers few times a second by ICMP, and a program would wait for what it is not told. */
function refuse(match: string): string[] {
  return [
    `${match} meta l4proto tcp reject with tcp reset`,
    `${match} reject with icmp type admin-prohibited`,
  ];
}

/** Rules of a run's own network: whoever comes to it comes to its loopback, and what it was given seems to be there. */
export function runRules(link: number, loopback: readonly number[]): string {
  const { machine, run } = addressesOf(link);
  const given = loopback.map((port) => `ip daddr 127.0.0.1 tcp dport ${port} dnat to ${machine}`);
  return `table ip run {
${chain('prerouting', 'type nat hook prerouting priority -100', ['iifname "eth0" meta l4proto tcp dnat to 127.0.0.1'])}
${chain('output', 'type nat hook output priority -100', given)}
${chain('postrouting', 'type nat hook postrouting priority 100', [`oifname "eth0" ip saddr 127.0.0.0/8 snat to ${run}`])}
}
`;
}

function chain(name: string, hook: string, rules: readonly string[]): string {
  return ` chain ${name} {\n  ${hook};\n${rules.map((rule) => `  ${rule}\n`).join('')} }`;
}
