import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { promisify } from 'node:util';
import { findPrograms } from '../find-program.ts';
import { createTurns } from '../turns.ts';
import { leaveForwardPolicy, passForwardPolicy } from './forward-policy.ts';
import { forwardAnswers, hasRuns, stopForwarding } from './forwarding.ts';
import { addressesOf, interfaceOf, LINKS, machineRules, RESOLVER, runRules } from './network-rules.ts';

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
  /** By which others have made the machine's firewall, if anybody has. */
  iptables: string | undefined;
}

/** TCP ports of the machine that runs may connect to. */
export interface Ports {
  loopback: readonly number[];
  public: readonly number[];
}

const ATTEMPTS = 20;
const NAMES = '/run/netns';
/** Settings of the network that one is in, by interface. */
const IPV4 = '/proc/sys/net/ipv4/conf';
const IPV6 = '/proc/sys/net/ipv6/conf';

/** Networks for runs, tried out; a sentence says why there are none. Ports are asked for with each run. */
export async function findNetworks(
  path: string,
  { instance, ports }: { instance: string; ports: () => Ports },
): Promise<Networks | string> {
  if (process.getuid?.() !== 0) return 'Nephos runs without root.';
  const [ip] = findPrograms('ip', path);
  const [nft] = findPrograms('nft', path);
  const [nsenter] = findPrograms('nsenter', path);
  const [iptables] = findPrograms('iptables', path);
  if (!ip || !nft || !nsenter)
    return `${!ip ? 'iproute2' : !nft ? 'nftables' : 'nsenter (util-linux)'} is not installed.`;
  const table = `nephos_${instance.slice(0, 8)}`;
  const networks = createNetworks({ ip, nft, nsenter, iptables }, { table, ports });
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
  const { resolver, text } = machineResolvers();
  /** What is of the whole machine changes for one network at a time. */
  const turns = createTurns(1);
  let inForce = '';
  /** Rules change with the ports, where a database server was started, and with the machine's interfaces. */
  const renew = async (closed: readonly string[]) => {
    const { loopback, public: open } = ports();
    const rules = machineRules(table, { loopback, public: open, resolver, closed });
    if (rules === inForce) return;
    await feed(programs.nft, ['-f', '-'], rules);
    if (inForce === '' && programs.iptables) await passForwardPolicy(programs.iptables);
    inForce = rules;
  };
  const begin = async () => {
    using _turn = await turns.take();
    await forwardAnswers(renew);
  };
  return {
    names: { hosts: hostsOf(readHost('/etc/hosts')), resolvers: text },
    async open() {
      const network = await connect(programs, { table, loopback: ports().loopback });
      const close = async () => {
        await network.close();
        using _turn = await turns.take();
        await stopForwarding(async (closed) => {
          if (inForce !== '') await renew(closed);
        });
      };
      try {
        await begin();
        return { ...network, close };
      } catch (error) {
        await close();
        throw error;
      }
    },
    async close() {
      using _turn = await turns.take();
      await run(programs.nft, ['delete', 'table', 'ip', table]).catch(() => {});
      if (programs.iptables && !(await hasRuns())) await leaveForwardPolicy(programs.iptables);
      inForce = '';
    },
  };
}

/** Removes what a killed server of this installation left: a connection carries the installation's name. */
async function sweep(ip: string, table: string): Promise<void> {
  const { stdout } = await run(ip, ['-json', 'link', 'show', 'type', 'veth']);
  const links: { ifname?: string; ifalias?: string }[] = JSON.parse(stdout || '[]');
  const left = links.flatMap(({ ifname, ifalias }) => (ifname && ifalias === table ? [ifname] : []));
  if (left.length > 0) await remove(ip, left);
}

async function remove(ip: string, names: readonly string[]): Promise<void> {
  // The names alone go: a network itself ends with its last process. What is not there is passed over.
  const lines = names.flatMap((name) => [`link delete ${name}`, `netns delete ${name}`]);
  await feed(ip, ['-force', '-batch', '-'], `${lines.join('\n')}\n`).catch(() => {});
}

async function connect(
  programs: Programs,
  { table, loopback }: { table: string; loopback: readonly number[] },
): Promise<RunNetwork> {
  const { ip, nsenter } = programs;
  const link = await make(programs, { table, loopback });
  const name = interfaceOf(link);
  const close = () => remove(ip, [name]);
  try {
    const enter = [nsenter, `--net=${NAMES}/${name}`, '--'];
    const [program = '', ...args] = enter;
    for (const file of [...settingsOf(name), `${IPV4}/${name}/forwarding`]) await writeFile(file, '1');
    await feed(program, [...args, 'tee', ...settingsOf('eth0')], '1');
    return { host: addressesOf(link).run, enter, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Makes a connection that nobody has, other installations on this machine included: its name can be given once only.
 * One process does it all, since a fork of ours copies our page tables, and requests wait meanwhile.
 */
async function make(
  { ip, nft }: Programs,
  { table, loopback }: { table: string; loopback: readonly number[] },
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const link = randomInt(LINKS);
    const name = interfaceOf(link);
    const { machine, run: own } = addressesOf(link);
    const inside = [
      `${ip} link set lo up`,
      `${ip} addr add ${own}/31 dev eth0`,
      `${ip} link set eth0 up`,
      `${ip} route add default via ${machine}`,
      `${nft} '${runRules(link, loopback).replaceAll('\n', ';')}'`,
    ];
    const batch = [
      `netns add ${name}`,
      `link add ${name} type veth peer name eth0 netns ${name}`,
      `addr add ${machine}/31 dev ${name}`,
      `link set ${name} alias ${table}`,
      `link set ${name} up`,
      ...inside.map((command) => `netns exec ${name} ${command}`),
    ];
    try {
      await feed(ip, ['-batch', '-'], batch.join('\n'));
      return link;
    } catch (error) {
      const isTaken = String(error).includes('Command failed -:1\n');
      if (!isTaken) await remove(ip, [name]);
      if (!isTaken || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * What is on at each end of a connection. The rules are of IPv4 alone, and by a link-local address of IPv6 a run would
 * reach whatever listens on the machine.
 */
function settingsOf(name: string): string[] {
  const six = existsSync(IPV6) ? [`${IPV6}/${name}/disable_ipv6`] : [];
  return [`${IPV4}/${name}/route_localnet`, ...six];
}

/** Runs a program of ours that reads what to do. */
export async function feed(program: string, args: string[], text: string): Promise<void> {
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

/** The machine's own, as `resolversOf` has them. */
export function machineResolvers(): { resolver: string | undefined; text: string } {
  return resolversOf(readHost('/etc/resolv.conf'), readHost('/run/systemd/resolve/resolv.conf'));
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
