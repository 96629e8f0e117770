import { getServers } from 'node:dns';
import { isIPv6 } from 'node:net';
import { askRecursively, type ServerAddress } from './server/ask.ts';

const DNS_PORT = 53;

/** Reads `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` and `[2001:db8::1]:53`. */
function addressOf(server: string): ServerAddress {
  if (isIPv6(server)) return { host: server, port: DNS_PORT };
  const [, host = server, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(server) ?? [];
  return { host, port: port === undefined ? DNS_PORT : Number(port) };
}

/**
 * The data of a name's records as the internet has them, as master files write it: what `pattern` finds first in each line
 * of the answer. Asks the resolvers that this machine is set up with, or `servers`, one after the other until one answers;
 * undefined where none does.
 */
export async function lookUpRecords(
  name: string,
  type: 'DS' | 'NS',
  pattern: RegExp,
  servers: readonly string[] = getServers(),
): Promise<string[] | undefined> {
  for (const server of servers) {
    const { responseCode, answers } = await askRecursively(addressOf(server), name, type);
    if (responseCode !== 'NOERROR' && responseCode !== 'NXDOMAIN') continue;
    return answers.flatMap((line) => pattern.exec(line)?.[1] ?? []);
  }
  return undefined;
}
