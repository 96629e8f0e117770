import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { promisify } from 'node:util';
import { findPrograms } from '../find-program.ts';
import {
  type Admitted,
  addressesOf,
  interfaceOf,
  LINKS,
  machineRules,
  RESOLVER,
  runRules,
} from './network-rules.ts';

const run = promisify(execFile);

/** A network of a run's own: what listens in it is reached by us alone, and it reaches the internet and what it was given. */
export interface RunNetwork {
  /** Its address, for us. Every port of the run's loopback answers there. */
  host: string;
  /** What an argument vector begins with to be in it. */
  enter: readonly string[];
  close(): Promise<void>;
}

/** Texts of `/etc/hosts` and `/etc/resolv.conf`. */
export interface Names {
  hosts: string;
  resolvers: string;
}

export interface Networks {
  open(): Promise<RunNetwork>;
  names: Names;
  /** Removes the rules of this installation. */
  close(): Promise<void>;
}

interface Programs {
  ip: string;
  nft: string;
  nsenter: string;
}

/** TCP ports of the machine that runs may connect to. */
export interface Ports {
  loopback: readonly number[];
  public: readonly number[];
}

const ATTEMPTS = 20;
const NAMES = '/run/netns';

/** Networks for runs, tried out; a sentence says why there are none. Ports are asked for with each run. */
export async function findNetworks(
  path: string,
  { instance, ports }: { instance: string; ports: () => Ports },
): Promise<Networks | string> {
  if (process.getuid?.() !== 0) return 'Nephos runs without root.';
  const [ip] = findPrograms('ip', path);
  const [nft] = findPrograms('nft', path);
  const [nsenter] = findPrograms('nsenter', path);
  if (!ip || !nft || !nsenter)
    return `${!ip ? 'iproute2' : !nft ? 'nftables' : 'nsenter (util-linux)'} is not installed.`;
  const table = `nephos_${instance.slice(0, 8)}`;
  const networks = createNetworks({ ip, nft, nsenter }, { table, ports });
  try {
    await sweep(ip, table);
    await (await networks.open()).close();
    return networks;
  } catch {
    return 'This system does not let Nephos make networks.';
  }
}

function createNetworks(
  programs: Programs,
  { table, ports }: { table: string; ports: () => Ports },
): Networks {
  const { resolver, text } = resolversOf(
    readHost('/etc/resolv.conf'),
    readHost('/run/systemd/resolve/resolv.conf'),
  );
  let inForce = '';
  /** Rules change with the ports alone: a database server was started, or listens elsewhere. */
  const renew = async (admitted: Admitted) => {
    const rules = machineRules(table, admitted);
    if (rules === inForce) return;
    await feed(programs.nft, ['-f', '-'], rules);
    inForce = rules;
  };
  return {
    names: { hosts: hostsOf(readHost('/etc/hosts')), resolvers: text },
    async open() {
      const { loopback, public: open } = ports();
      await renew({ loopback, public: open, resolver });
      await forward();
      return connect(programs, { table, loopback });
    },
    async close() {
      await run(programs.nft, ['delete', 'table', 'ip', table]).catch(() => {});
      inForce = '';
    },
  };
}

/** What comes out of a run's network is passed on, as by any router; what does not come from one, only if it was before. */
async function forward(): Promise<void> {
  const file = '/proc/sys/net/ipv4/ip_forward';
  if ((await readFile(file, 'utf8')).trim() !== '1') await writeFile(file, '1');
}

/** Removes what a killed server of this installation left: a connection carries the installation's name. */
async function sweep(ip: string, table: string): Promise<void> {
  const { stdout } = await run(ip, ['-json', 'link', 'show', 'type', 'veth']);
  const links: { ifname?: string; ifalias?: string }[] = JSON.parse(stdout || '[]');
  const left = links.flatMap(({ ifname, ifalias }) => (ifname && ifalias === table ? [ifname] : []));
  if (left.length > 0) await remove(ip, left);
}

/** What is gone already is passed over. Of a network the name alone goes: it ends itself with its last process. */
async function remove(ip: string, names: readonly string[]): Promise<void> {
  const lines = names.flatMap((name) => [`link delete ${name}`, `netns delete ${name}`]);
  await feed(ip, ['-force', '-batch', '-'], lines.join('\n')).catch(() => {});
}

/**
 * Sets up a network from the inside: addresses, what its loopback passes on, rules. These words are all that the shell is
 * told; the rest are its arguments. One program that starts others costs us less than each of them.
 */
const SET_UP =
  'printf %s "$2" | "$1" -batch - && echo 1 > /proc/sys/net/ipv4/conf/eth0/route_localnet && printf %s "$4" | "$3" -f -';

async function connect(
  { ip, nft, nsenter }: Programs,
  { table, loopback }: { table: string; loopback: readonly number[] },
): Promise<RunNetwork> {
  const link = await reserve(ip);
  const name = interfaceOf(link);
  const { machine, run: own } = addressesOf(link);
  const close = () => remove(ip, [name]);
  const outside = [
    `link add ${name} type veth peer name eth0 netns ${name}`,
    `addr add ${machine}/31 dev ${name}`,
    `link set ${name} alias ${table}`,
    `link set ${name} up`,
  ];
  const inside = [
    'link set lo up',
    `addr add ${own}/31 dev eth0`,
    'link set eth0 up',
    `route add default via ${machine}`,
  ];
  try {
    await feed(ip, ['-batch', '-'], outside.join('\n'));
    await writeFile(`/proc/sys/net/ipv4/conf/${name}/route_localnet`, '1');
    const enter = [nsenter, `--net=${NAMES}/${name}`, '--'];
    const [program = '', ...args] = enter;
    await run(program, [
      ...[...args, '/bin/sh', '-c', SET_UP, 'sh'],
      ...[ip, inside.join('\n'), nft, runRules(link, loopback)],
    ]);
    return { host: own, enter, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A connection that nobody has, other installations on this machine included: its name can be given once only. */
async function reserve(ip: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    // The last one's addresses are those of the resolver.
    const link = randomInt(LINKS - 1);
    try {
      await run(ip, ['netns', 'add', interfaceOf(link)]);
      return link;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Runs a program of ours that reads what to do. */
async function feed(program: string, args: string[], text: string): Promise<void> {
  const work = run(program, args);
  work.child.stdin?.on('error', () => {});
  work.child.stdin?.end(text);
  await work;
}

function readHost(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The machine's own names without those of its loopback. `localhost` is IPv4 alone, as what comes to a run's network. */
export function hostsOf(text: string): string {
  const others = text
    .split('\n')
    .filter((line) => /^\s*[\da-f]/i.test(line) && !/^\s*(127\.|::1\s)/.test(line));
  return ['127.0.0.1 localhost app', ...others, ''].join('\n');
}

/** Name servers that a run can reach; one on the machine's loopback is reached by an address that stands for it. */
export function resolversOf(own: string, ofSystemd: string): { resolver: string | undefined; text: string } {
  const serversIn = (text: string) =>
    [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, server]) => server ?? []);
  const isOutside = (server: string) => isIPv4(server) && !server.startsWith('127.');
  const rest = own.split('\n').filter((line) => /^\s*(search|domain|options)\s/.test(line));
  const write = (servers: string[]) =>
    [...servers.map((server) => `nameserver ${server}`), ...rest, ''].join('\n');
  for (const text of [own, ofSystemd]) {
    const servers = serversIn(text).filter(isOutside);
    if (servers.length > 0) return { resolver: undefined, text: write(servers) };
  }
  const resolver = serversIn(own).find((server) => isIPv4(server)) ?? '127.0.0.1';
  return { resolver, text: write([RESOLVER]) };
}
