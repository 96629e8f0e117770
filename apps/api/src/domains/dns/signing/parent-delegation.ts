import type { ParentDelegation } from '@nephos/contracts';
import type { UserContext } from '../../../core/context.ts';
import type { DnsParts } from '../dns.ts';
import { keyTagOf, possibleDelegations } from '../server/signing/zone-key.ts';
import { findZoneKeys, type ZoneKeyRow } from './zone-keys.ts';

/** Which of a domain's keys the domain above names, as resolvers see it. No transaction may be open. Throws 503. */
export async function delegationOf(
  { lookUpDs }: Pick<DnsParts, 'lookUpDs'>,
  ownerId: string,
  domain: string,
  keys: readonly Pick<ZoneKeyRow, 'publicKey'>[],
): Promise<ParentDelegation> {
  const published = await lookUpDs(ownerId, domain);
  if (!published) return { known: false, keyTags: [], others: 0 };
  const others = new Set(published);
  const named = keys.filter(({ publicKey }) => {
    const ours = possibleDelegations(domain, publicKey).filter((text) => others.delete(text));
    return ours.length > 0;
  });
  return { known: true, keyTags: named.map(({ publicKey }) => keyTagOf(publicKey)), others: others.size };
}

/** As `delegationOf`, of a domain of theirs. Throws 404 and 503. */
export async function lookAtParent(
  ctx: UserContext,
  parts: DnsParts,
  { domain }: { domain: string },
): Promise<ParentDelegation> {
  const { keys } = await findZoneKeys(ctx.db, ctx.ownerId, domain);
  return delegationOf(parts, ctx.ownerId, domain, keys);
}
