import type { DnsZone } from '@nephos/contracts';
import type { Deps, UserContext } from '../../context.ts';
import { assertNotPublicSuffix } from './public-suffix.ts';
import { assertNotReserved } from './reserved.ts';
import { zonesOfTree } from './zones.ts';

/** Characters: 128 bits in hexadecimal. */
const TOKEN_LENGTH = 32;

type Proof = NonNullable<DnsZone['verification']>;

/** The TXT record that only who controls the domain can publish, with what only this account is told. */
export function proofOf({ secrets }: Pick<Deps, 'secrets'>, ownerId: string, domain: string): Proof {
  return {
    name: `_cloud-verify.${domain}`,
    value: secrets.fingerprint(`dns-verify:${ownerId}`).slice(0, TOKEN_LENGTH),
  };
}

/** Whether their proof can be seen on the internet; waits for it, so no transaction may be open. Throws 503. */
export async function seeProof(
  { lookUpTxt }: Pick<Deps, 'lookUpTxt'>,
  ownerId: string,
  proof: Proof,
): Promise<boolean> {
  return (await lookUpTxt(ownerId, proof.name)).includes(proof.value);
}

/** What is known of a domain's ownership before its zone is made. */
export interface Claim {
  /** Whether the domain was seen to be the account's; null where this server asks nobody for proof. */
  proved: boolean | null;
  /** What to tell who is refused for a claim that a proof would beat. */
  howToProve: string;
}

/**
 * The account's claim to a domain. A proof is only looked for where it decides something: where another account claims
 * the tree without one. That may take seconds, so `ctx.db` is no transaction. Throws 400 for a public suffix, 403
 * DOMAIN_RESERVED, and 503 while too much is being looked for.
 */
export async function claimOf(ctx: UserContext, domain: string): Promise<Claim> {
  assertNotPublicSuffix(domain);
  assertNotReserved(ctx, domain);
  if (!ctx.settings.dnsVerifyOwnership) return { proved: null, howToProve: '' };
  const proof = proofOf(ctx, ctx.user.id, domain);
  const tree = await zonesOfTree(ctx.db, domain);
  const isOpen = tree.every(({ verifiedAt }) => verifiedAt === null);
  const isClaimed = tree.some(({ ownerId }) => ownerId !== ctx.user.id);
  return {
    proved: isOpen && isClaimed && (await seeProof(ctx, ctx.user.id, proof)),
    howToProve: `If it is yours, publish the TXT record ${proof.name} with the value ${proof.value} and try again.`,
  };
}
