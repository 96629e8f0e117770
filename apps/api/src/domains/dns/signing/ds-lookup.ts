import { getServers } from 'node:dns';
import { isIPv6 } from 'node:net';
import type { BoundLookUp } from '../../../platform/public-dns.ts';
import { askRecursively, type ServerAddress } from '../server/ask.ts';

/** The data of a name's DS records as the internet has them, as master files write it; undefined where nobody answers. */
export type LookUpDs = (name: string) => Promise<string[] | undefined>;

/** As `LookUpDs`, for an account; throws 503 while there are too many of these at once. */
export type LookUpDsFor = BoundLookUp<string, string[] | undefined>;

const DNS_PORT = 53;
const DS = /^\S+ \d+ IN DS (\d+ \d+ \d+ [0-9A-F]+)$/;

/** Reads `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` and `[2001:db8::1]:53`. */
function addressOf(server: string): ServerAddress {
  if (isIPv6(server)) return { host: server, port: DNS_PORT };
  const [, host = server, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(server) ?? [];
  return { host, port: port === undefined ? DNS_PORT : Number(port) };
}

/** Asks the resolvers that this machine is set up with, or `servers`, one after the other until one answers. */
export function createDsLookup(servers?: readonly string[]): LookUpDs {
  return async (name) => {
    for (const server of servers ?? getServers()) {
      const { responseCode, answers } = await askRecursively(addressOf(server), name, 'DS');
      if (responseCode !== 'NOERROR' && responseCode !== 'NXDOMAIN') continue;
      return answers.flatMap((line) => DS.exec(line)?.[1] ?? []);
    }
    return undefined;
  };
}
