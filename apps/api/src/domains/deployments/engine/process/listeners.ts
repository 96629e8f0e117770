import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';

export interface Listener {
  /** The loopback address at which it is reached. */
  host: string;
  /** Account that owns the socket; undefined where the system does not say. */
  uid: number | undefined;
}

const LISTEN = '0A';
const LOOPBACKS = ['127.0.0.1', '::1'];

/** Who listens on a port, reached over loopback; undefined: nobody yet. */
export async function findListener(port: number): Promise<Listener | undefined> {
  for (const host of LOOPBACKS) {
    if (await answers(host, port)) return { host, uid: await ownerOf(port) };
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
async function ownerOf(port: number): Promise<number | undefined> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const table = await readFile(file, 'utf8').catch(() => '');
    for (const line of table.split('\n').slice(1)) {
      const [, local = '', , state, , , , uid] = line.trim().split(/\s+/);
      if (state === LISTEN && local.endsWith(suffix)) return Number(uid);
    }
  }
  return undefined;
}
