import { readFile } from 'node:fs/promises';
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

/** Who listens on a port, reached over loopback; undefined: nobody yet. */
export async function findListener(port: number): Promise<Listener | undefined> {
  for (const [host, sockets] of Object.entries(ANSWERING)) {
    if (await answers(host, port)) return { host, uid: await ownerOf(sockets, port) };
  }
  return undefined;
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Another project could take the port before the app does; /proc/net/tcp tells them apart (proc(5)). */
async function ownerOf(sockets: [Table, string][], port: number): Promise<number | undefined> {
  const ports = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = { '/proc/net/tcp': '', '/proc/net/tcp6': '' };
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6'] as const) {
    tables[file] = await readFile(file, 'utf8').catch(() => '');
  }
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

/** A port that nobody uses at this moment, on any address of this machine: an app may listen on all of them. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
