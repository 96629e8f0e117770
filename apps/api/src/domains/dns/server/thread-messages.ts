import type { ZoneData } from './zone.ts';

/** What the thread is made with. */
export interface ThreadSetup {
  /** IP address and port to bind once it is told to open. */
  host: string;
  port: number;
  /** Descriptors of sockets that are bound there already. */
  udpFd?: number | undefined;
  tcpFd?: number | undefined;
  /** Host names of the NS records at each apex. */
  nameServers: readonly string[];
  /** Tells this server from others of the same names. */
  serverId: string;
  /** What cookies' secrets are made of: the same on all replicas, and secret. */
  cookieKey: string;
  /** Memory of the query counts. */
  counts: SharedArrayBuffer;
}

export type ToThread =
  | { kind: 'zones'; changed: readonly ZoneData[]; removed: readonly string[] }
  | { kind: 'open' }
  | { kind: 'close' };

/** The code where sockets that were given are at another address or port. */
export const ELSEWHERE = 'ELSEWHERE';

export type FromThread =
  | { kind: 'opened' }
  /** `code` as of the system call, or `ELSEWHERE`. */
  | { kind: 'refused'; code: string; message: string }
  /** Something went on after it went wrong. */
  | { kind: 'error'; message: string };
