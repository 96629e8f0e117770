import type { dns, ZoneSigning } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { conflict } from '../../../core/errors.ts';
import type { DnsParts } from '../dns.ts';
import { delegationText, keyTagOf, keyText } from '../server/signing/zone-key.ts';
import { raiseSerial } from '../zone-serials.ts';
import { earliestUse, retirementEnd } from './key-times.ts';
import { delegationOf } from './parent-delegation.ts';
import { addKey, findZoneKeys, lockZoneKeys } from './zone-keys.ts';

/** Whether and how a domain of theirs is signed. Throws 404. */
export async function showSigning(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  { domain }: { domain: string },
): Promise<ZoneSigning> {
  const { keys } = await findZoneKeys(db, ownerId, domain);
  return {
    domain,
    keys: keys.map(({ publicKey, state, since }) => ({
      keyTag: keyTagOf(publicKey),
      state,
      until: state === 'active' ? null : (state === 'incoming' ? earliestUse : retirementEnd)(since),
      ds: delegationText(domain, publicKey),
      dnskey: keyText(publicKey),
    })),
  };
}

/** Signs a domain of theirs. Throws 404, and 409 ZONE_PENDING where nothing of it is served yet. */
export async function signZone(
  ctx: UserContext,
  { secrets }: Pick<DnsParts, 'secrets'>,
  { domain }: z.output<typeof dns.sign.input>,
): Promise<ZoneSigning> {
  await atomically(ctx.db, async (trx) => {
    const { zone, keys } = await lockZoneKeys(trx, ctx.ownerId, domain);
    if (zone.verifiedAt === null) throw conflict('ZONE_PENDING', `Verify that you own ${domain} first.`);
    if (keys.length > 0) return;
    await addKey(trx, secrets, zone, 'active');
    await raiseSerial(trx, zone);
  });
  return showSigning(ctx, { domain });
}

/** Refuses while resolvers see a DS record of the domain, or do not say, since they would then refuse its answers. */
async function assertNotDelegated(ctx: UserContext, parts: DnsParts, domain: string): Promise<void> {
  const { keys } = await findZoneKeys(ctx.db, ctx.ownerId, domain);
  if (keys.length === 0) return;
  const { known, keyTags, others } = await delegationOf(parts, ctx.ownerId, domain, keys);
  if (known && keyTags.length + others === 0) return;
  const why = known
    ? `The domain above still has a DS record of ${domain}.`
    : `Whether the domain above still has a DS record of ${domain} can't be checked now.`;
  const advice = 'Remove it at your registrar and wait until resolvers have forgotten it, usually a day.';
  throw conflict('DS_PUBLISHED', `${why} ${advice}`);
}

/**
 * Stops signing a domain of theirs, once per key. The parent is asked before there is a transaction, which would wait for
 * it. Throws 404, 409 DS_PUBLISHED and 503.
 */
export async function unsignZone(
  ctx: UserContext,
  parts: DnsParts,
  { domain, anyway }: z.output<typeof dns.unsign.input>,
  once: Once<UserContext>,
) {
  if (!anyway) await assertNotDelegated(ctx, parts, domain);
  return once(async (inner) => {
    await atomically(inner.db, async (trx) => {
      const { zone, keys } = await lockZoneKeys(trx, inner.ownerId, domain);
      if (keys.length === 0) return;
      await trx
        .deleteFrom('dnsZoneKeys')
        .where('ownerId', '=', inner.ownerId)
        .where('zoneId', '=', zone.id)
        .execute();
      await raiseSerial(trx, zone);
    });
    return showSigning(inner, { domain });
  });
}
