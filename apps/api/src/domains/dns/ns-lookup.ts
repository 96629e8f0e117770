import { lookUpRecords } from './record-lookup.ts';

/** The name servers of a domain as the internet has them, without final dots; undefined where nobody answers. */
export type LookUpNs = (domain: string) => Promise<string[] | undefined>;

const NS = /^\S+ \d+ IN NS (\S+?)\.?$/;

/** Asks the resolvers that this machine is set up with, or `servers`. */
export function createNsLookup(servers?: readonly string[]): LookUpNs {
  return (domain) => lookUpRecords(domain, 'NS', NS, servers);
}
