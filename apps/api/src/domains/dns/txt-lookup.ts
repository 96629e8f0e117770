import { Resolver } from 'node:dns/promises';
import { unavailable } from '../../core/errors.ts';

/** The texts of a name's TXT records as the internet has them; none where it cannot be asked. */
export type LookUpTxt = (name: string) => Promise<string[]>;

/** As `LookUpTxt`, for the account `askerId`; throws 503 while there are too many of these at once. */
export type LookUpTxtFor = (askerId: string, name: string) => Promise<string[]>;

/** Milliseconds for the first try at a server, and for all together: somebody waits for the answer. */
const FIRST_TRY = 1000;
const PATIENCE = 3000;
/** Look-ups at once. */
const MAX_OF_ALL = 64;
const MAX_OF_ONE = 4;

/** Asks the resolvers that this machine is set up with, or `servers`, each an address with its port. */
export function createTxtLookup(servers?: readonly string[]): LookUpTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: FIRST_TRY, tries: 2 });
    const patience = setTimeout(() => resolver.cancel(), PATIENCE);
    if (servers) resolver.setServers(servers);
    try {
      return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
    } catch {
      return [];
    } finally {
      clearTimeout(patience);
    }
  };
}

/** Bounds how many look-ups there are at once, so that nobody can keep the others from theirs. */
export function boundLookUps(lookUpTxt: LookUpTxt): LookUpTxtFor {
  /** Who asked for each look-up that is under way. */
  const askers: string[] = [];
  return async (askerId, name) => {
    const own = askers.filter((other) => other === askerId).length;
    if (own >= MAX_OF_ONE || askers.length >= MAX_OF_ALL) {
      throw unavailable('Too many domains are being verified. Try again in a moment.');
    }
    askers.push(askerId);
    try {
      return await lookUpTxt(name);
    } finally {
      askers.splice(askers.indexOf(askerId), 1);
    }
  };
}
