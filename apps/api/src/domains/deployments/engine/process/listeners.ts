import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { endianness } from 'node:os';

export interface Listener {
  /** The loopback address at which it is reached. */
  host: string;
  /** Account that owns the socket that answers there; undefined where the system does not say. */
  uid: number | undefined;
}

type Table = '/proc/net/tcp' | '/proc/net/tcp6';

const LISTEN = '0A';
const ANY = '0'.repeat(32);
const MAPPED = `${'0'.repeat(20)}FFFF`;

/**
 * For each loopback address, the sockets that answer there, in the order in which Linux prefers them: bound to the
 * address itself before bound to all, IPv4 before IPv6.
 */
const ANSWERING: Record<string, [Table, string][]> = {
  '127.0.0.1': [
    ['/proc/net/tcp', '7F000001'],
    ['/proc/net/tcp6', `${MAPPED}7F000001`],
    ['/proc/net/tcp', '00000000'],
    ['/proc/net/tcp6', ANY],
    ['/proc/net/tcp6', `${MAPPED}00000000`],
  ],
  '::1': [
    ['/proc/net/tcp6', `${ANY.slice(1)}1`],
    ['/proc/net/tcp6', ANY],
  ],
};

/**
 * Who listens on a port, reached over loopback; undefined: nobody yet. Nothing is sent to accounts that are not ours, as
 * far as the system says whose a socket is.
 */
export async function findListener(
  port: number,
  isOurs: (uid: number) => boolean = () => true,
): Promise<Listener | undefined> {
  const before = await readTables();
  for (const [host, sockets] of Object.entries(ANSWERING)) {
    const uid = ownerIn(before, sockets, port);
    if (uid !== undefined && !isOurs(uid)) return { host, uid };
    // It may have begun to listen since.
    if (await answers(host, port)) return { host, uid: uid ?? ownerIn(await readTables(), sockets, port) };
  }
  return undefined;
}

/** Milliseconds after which a listener is hung up on, whatever it sends. */
const LISTENED_MS = 5000;

/**
 * Whether somebody listens there. It is asked for something, since simple servers end with a connection that was closed
 * before anything came; nobody reads what it answers.
 */
export function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }).unref();
    const timer = setTimeout(() => socket.destroy(), LISTENED_MS).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
    socket.once('connect', () => {
      socket.write(
        `GET / HTTP/1.1\r\nHost: ${host.includes(':') ? `[${host}]` : host}\r\nConnection: close\r\n\r\n`,
      );
      socket.resume();
      resolve(true);
    });
    // Its end follows.
    socket.once('error', () => {});
  });
}

async function readTables(): Promise<Record<Table, string>> {
  const tables = { '/proc/net/tcp': '', '/proc/net/tcp6': '' };
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6'] as const) {
    tables[file] = await readFile(file, 'utf8').catch(() => '');
  }
  return tables;
}

/** Another project could take the port before the app does; /proc/net/tcp tells them apart (proc(5)). */
function ownerIn(
  tables: Record<Table, string>,
  sockets: [Table, string][],
  port: number,
): number | undefined {
  const ports = port.toString(16).toUpperCase().padStart(4, '0');
  for (const [table, address] of sockets) {
    for (const line of tables[table].split('\n').slice(1)) {
      const [, local, , state, , , , uid] = line.trim().split(/\s+/);
      if (state === LISTEN && local === `${asWritten(address)}:${ports}`) return Number(uid);
    }
  }
  return undefined;
}

/** The kernel writes an address as numbers of 32 bits in the machine's own order of bytes. */
function asWritten(address: string): string {
  if (endianness() === 'BE') return address;
  return address.replace(/(..)(..)(..)(..)/g, '$4$3$2$1');
}

/** Ports on which processes listen, found by the sockets that they hold (proc(5)). None where the system does not say. */
export async function portsOf(pids: readonly number[]): Promise<number[]> {
  const held = new Set((await Promise.all(pids.map(socketsOf))).flat());
  if (held.size === 0) return [];
  const rows = (await tablesOf(pids)).flatMap(listening);
  return [...new Set(rows.flatMap(({ port, inode }) => (held.has(inode) ? [port] : [])))];
}

/** Ports on which anybody listens in a process's network, but at the addresses to leave out. */
export async function portsAround(pid: number, without: readonly string[]): Promise<number[]> {
  const left = without.map((address) => asWritten(hexOf(address)));
  const rows = (await tablesOf([pid])).flatMap(listening);
  return [...new Set(rows.flatMap(({ address, port }) => (left.includes(address) ? [] : [port])))];
}

function hexOf(address: string): string {
  return Buffer.from(address.split('.').map(Number)).toString('hex').toUpperCase();
}

/** The sockets of a table that listen. */
function listening(table: string): { address: string; port: number; inode: string }[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    return state === LISTEN ? [{ address, port: Number.parseInt(port, 16), inode }] : [];
  });
}

/** The numbers of a process's sockets. */
async function socketsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch(() => []);
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

/** The tables of sockets of each network that the processes are in. */
async function tablesOf(pids: readonly number[]): Promise<string[]> {
  const byNetwork = new Map<string, number>();
  for (const pid of pids) {
    byNetwork.set(await readlink(`/proc/${pid}/ns/net`).catch(() => ''), pid);
  }
  const files = [...byNetwork.values()].flatMap((pid) => [`/proc/${pid}/net/tcp`, `/proc/${pid}/net/tcp6`]);
  return Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
}

/** Ports that were given out a moment ago: whoever got one may not listen on it yet. */
const given = new Set<number>();
const GIVEN_MS = 60_000;

/** A port that nobody uses at this moment, on any address of this machine: an app may listen on all of them. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await unusedPort();
    if (given.has(port)) continue;
    given.add(port);
    setTimeout(() => given.delete(port), GIVEN_MS).unref();
    return port;
  }
}

function unusedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
