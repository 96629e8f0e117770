import type { DnsZone } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { invalid } from '../../core/errors.ts';
import type { DnsParts } from './dns.ts';
import { assertNotReserved } from './reserved.ts';
import { isStillProven } from './zone-proofs.ts';
import { isBeyond, type ZoneRow, zonesOfTree } from './zones.ts';

/** Characters: 128 bits in hexadecimal. */
const TOKEN_LENGTH = 32;

type Proof = NonNullable<DnsZone['verification']>;

/** The TXT record that only who controls the domain can publish, with what only this account is told. */
export function proofOf({ secrets }: Pick<DnsParts, 'secrets'>, ownerId: string, domain: string): Proof {
  return {
    name: `_cloud-verify.${domain}`,
    value: secrets.fingerprint(`dns-verify:${ownerId}`).slice(0, TOKEN_LENGTH),
  };
}

/** Whether their proof can be seen on the internet; waits for it, so no transaction may be open. Throws 503. */
export async function seeProof(
  { lookUpTxt }: Pick<DnsParts, 'lookUpTxt'>,
  ownerId: string,
  proof: Proof,
): Promise<boolean> {
  return (await lookUpTxt(ownerId, proof.name)).includes(proof.value);
}

/**
 * Refuses a domain under which others register names (publicsuffix.org, its private part too, such as `github.io`).
 * What no list knows, like `example.test` or `lab.internal`, is nobody's.
 */
async function assertNotPublicSuffix(domain: string): Promise<void> {
  const { parse } = await import('tldts');
  const { publicSuffix, isIcann, isPrivate } = parse(domain, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  });
  if (publicSuffix !== domain || !(isIcann || isPrivate)) return;
  const message = `${domain} is a public suffix. Enter a domain registered under it.`;
  throw invalid(message, [{ path: 'domain', message }]);
}

/** What is known of a domain's ownership before its zone is made. */
export interface Claim {
  /** Whether the domain was seen to be the account's; null where this server asks nobody for proof. */
  proved: boolean | null;
  /** What to tell who is refused for a claim that a proof would beat. */
  howToProve: string;
}

/** Whether none of these zones that lost their proof has it again. */
async function isGivenUp(parts: DnsParts, tree: readonly ZoneRow[]): Promise<boolean> {
  const active = tree.filter(({ verifiedAt }) => verifiedAt !== null);
  const looks = await Promise.all(active.map((zone) => isStillProven(parts, zone)));
  return looks.every((isProven) => isProven === false);
}

/**
 * The account's claim to a domain. A proof is only looked for where it decides something: where another account claims
 * the tree without one. That may take seconds, so `db` is no transaction. Throws 400 for a public suffix, 403
 * DOMAIN_RESERVED, and 503 while too much is being looked for.
 */
export async function claimOf(
  { db, user, ownerId }: UserContext,
  parts: DnsParts,
  domain: string,
): Promise<Claim> {
  await assertNotPublicSuffix(domain);
  assertNotReserved(user, parts.settings, domain);
  if (!parts.settings.dnsVerifyOwnership) return { proved: null, howToProve: '' };
  const proof = proofOf(parts, ownerId, domain);
  const tree = await zonesOfTree(db, domain);
  const isOpen = !tree.some((zone) => isBeyond(zone, domain));
  const isClaimed = tree.some((zone) => zone.ownerId !== ownerId);
  return {
    proved: isOpen && isClaimed && (await seeProof(parts, ownerId, proof)) && (await isGivenUp(parts, tree)),
    howToProve: `If you own it, add the TXT record ${proof.name} with the value ${proof.value} and try again.`,
  };
}
