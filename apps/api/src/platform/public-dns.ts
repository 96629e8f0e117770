import { Resolver } from 'node:dns/promises';
import { unavailable } from '../core/errors.ts';

export type AddressFamily = 4 | 6;

/** What the internet's DNS has of a name: nothing is an empty list, undefined that it could not be asked. */
export interface PublicDns {
  /** The texts of TXT records, the strings of each joined. */
  txt(name: string): Promise<readonly string[] | undefined>;
  /**
   * IPv4 and IPv6 addresses, or those of one family, aliases followed. Asked for both, it leaves out one that could not be
   * asked for.
   */
  addresses(name: string, family?: AddressFamily): Promise<readonly string[] | undefined>;
}

/** Milliseconds for the first try at a server, and for all together: somebody waits for the answer. */
const FIRST_TRY = 1000;
const PATIENCE = 3000;
/** Look-ups at once. */
const MAX_OF_ALL = 64;
const MAX_OF_ONE = 4;
/** That a name is not there, and that it has no records of the type. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the resolvers that this machine is set up with, or `servers`, each an address with its port. */
export function createPublicDns(servers?: readonly string[]): PublicDns {
  async function resolve<T>(question: (resolver: Resolver) => Promise<T[]>): Promise<T[] | undefined> {
    const resolver = new Resolver({ timeout: FIRST_TRY, tries: 2 });
    const patience = setTimeout(() => resolver.cancel(), PATIENCE);
    if (servers) resolver.setServers(servers);
    try {
      return await question(resolver);
    } catch (error) {
      return error instanceof Error && 'code' in error && NOTHING.has(String(error.code)) ? [] : undefined;
    } finally {
      clearTimeout(patience);
    }
  }
  return {
    async txt(name) {
      const records = await resolve((resolver) => resolver.resolveTxt(name));
      return records?.map((strings) => strings.join(''));
    },
    async addresses(name, family) {
      const found = await Promise.all([
        ...(family === 6 ? [] : [resolve((resolver) => resolver.resolve4(name))]),
        ...(family === 4 ? [] : [resolve((resolver) => resolver.resolve6(name))]),
      ]);
      if (found.every((addresses) => addresses === undefined)) return undefined;
      return found.flatMap((addresses) => addresses ?? []);
    },
  };
}

/** Looks something up for the account `askerId`; throws 503 while there are too many of these at once. */
export type BoundLookUp<What, T> = (askerId: string, what: What) => Promise<T>;

/** Bounds how many look-ups there are at once, so that nobody can keep the others from theirs. */
export function boundLookUps<What, T>(lookUp: (what: What) => Promise<T>): BoundLookUp<What, T> {
  /** Who asked for each look-up that is under way. */
  const askers: string[] = [];
  return async (askerId, what) => {
    const own = askers.filter((other) => other === askerId).length;
    if (own >= MAX_OF_ONE || askers.length >= MAX_OF_ALL) {
      throw unavailable('Too many domains are being verified. Try again in a moment.');
    }
    askers.push(askerId);
    try {
      return await lookUp(what);
    } finally {
      askers.splice(askers.indexOf(askerId), 1);
    }
  };
}
