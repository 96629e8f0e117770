import { Resolver } from 'node:dns/promises';

/** The texts of a name's TXT records as the internet has them; none where it cannot be asked. */
export type LookUpTxt = (name: string) => Promise<string[]>;

/** Milliseconds for the first try at a server, and for all together. */
const FIRST_TRY = 1500;
const PATIENCE = 5000;

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
