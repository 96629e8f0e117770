import type { BoundLookUp } from '../../../platform/public-dns.ts';
import { lookUpRecords } from '../record-lookup.ts';

/** The data of a name's DS records as the internet has them, as master files write it; undefined where nobody answers. */
export type LookUpDs = (name: string) => Promise<string[] | undefined>;

/** As `LookUpDs`, for an account; throws 503 while there are too many of these at once. */
export type LookUpDsFor = BoundLookUp<string, string[] | undefined>;

const DS = /^\S+ \d+ IN DS (\d+ \d+ \d+ [0-9A-F]+)$/;

/** Asks the resolvers that this machine is set up with, or `servers`. */
export function createDsLookup(servers?: readonly string[]): LookUpDs {
  return (name) => lookUpRecords(name, 'DS', DS, servers);
}
