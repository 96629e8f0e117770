import ipaddr from 'ipaddr.js';
import { isLoopbackHost } from '../../core/env.ts';
import type { Settings } from '../../core/settings.ts';
import { unbracketed } from '../../platform/public-address.ts';
import type { AddressFamily, PublicDns } from '../../platform/public-dns.ts';
import { type ProofParts, proofOf } from './proof.ts';

/** What the internet's DNS says of a claim. */
export interface Seen {
  /** Those at the name of the proof; undefined where it could not be asked. */
  texts: readonly string[] | undefined;
  /** Of this server; empty where they are not known. */
  serverAddresses: readonly string[];
  /** Whether the domain leads there; null where that cannot be told. */
  pointsHere: boolean | null;
}

export interface LookParts {
  settings: Pick<Settings, 'appsDomain' | 'publicUrl'>;
  secrets: ProofParts['secrets'];
  publicDns: PublicDns;
}

const FAMILIES: readonly AddressFamily[] = [4, 6];

/** The label below the domain of apps that domains of sites lead to: any would, since the server goes by what is asked for. */
export const SITES_LABEL = 'sites';

/** The name that a CNAME record of a project leads to; null below `localhost`, which no DNS answers. */
export function targetOf({ appsDomain }: Pick<Settings, 'appsDomain'>, slug: string): string | null {
  return isLoopbackHost(appsDomain) ? null : `${slug}.${appsDomain}`;
}

/** Addresses at which a project's app is reached, as `PublicDns` tells them; empty where it has none of its own. */
export async function serverAddressesOf(
  { settings, publicDns }: Pick<LookParts, 'settings' | 'publicDns'>,
  slug: string,
  family?: AddressFamily,
): Promise<readonly string[] | undefined> {
  const own = unbracketed(settings.publicUrl.hostname);
  if (ipaddr.isValid(own)) return isLoopbackHost(own) ? [] : [own];
  const target = targetOf(settings, slug);
  return target === null ? [] : publicDns.addresses(target, family);
}

/** A claim to a domain, and the label of what it is for. */
export interface Claim {
  ownerId: string;
  domain: string;
  slug: string;
}

/** Asks for everything that judges a claim, which takes seconds: no transaction may be open. */
export async function lookAt(parts: LookParts, { ownerId, domain, slug }: Claim): Promise<Seen> {
  const { publicDns } = parts;
  const [texts, ...answers] = await Promise.all([
    publicDns.txt(proofOf(parts, { ownerId, domain }).name),
    ...FAMILIES.map((family) => serverAddressesOf(parts, slug, family)),
    ...FAMILIES.map((family) => publicDns.addresses(domain, family)),
  ]);
  const [ours, theirs] = [answers.slice(0, FAMILIES.length), answers.slice(FAMILIES.length)].map((some) => [
    ...new Set(some.flatMap((addresses) => addresses ?? [])),
  ]);
  const serverAddresses = ours ?? [];
  const leadsHere = theirs?.some((address) => serverAddresses.includes(address)) ?? false;
  // What was left without an answer may be the address that leads here.
  const isKnown = serverAddresses.length > 0 && answers.every((addresses) => addresses !== undefined);
  return { texts, serverAddresses, pointsHere: leadsHere || (isKnown ? false : null) };
}
