import { type BoundLookUp, createPublicDns } from '../../platform/public-dns.ts';

/** The texts of a name's TXT records as the internet has them; none where it cannot be asked. */
export type LookUpTxt = (name: string) => Promise<string[]>;

/** As `LookUpTxt`, for an account; throws 503 while there are too many of these at once. */
export type LookUpTxtFor = BoundLookUp<string, string[]>;

/** Asks the resolvers that this machine is set up with, or `servers`, each an address with its port. */
export function createTxtLookup(servers?: readonly string[]): LookUpTxt {
  const { txt } = createPublicDns(servers);
  return async (name) => [...((await txt(name)) ?? [])];
}
