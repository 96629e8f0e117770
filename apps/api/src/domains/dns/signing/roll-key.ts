import type { dns, ZoneSigning } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { conflict, unavailable } from '../../../core/errors.ts';
import type { DnsParts } from '../dns.ts';
import { keyTagOf, possibleDelegations, trustedDelegations } from '../server/signing/zone-key.ts';
import { raiseSerial } from '../zone-serials.ts';
import { earliestUse, retirementEnd } from './key-times.ts';
import { delegationOf } from './parent-delegation.ts';
import { addKey, findZoneKeys, lockZoneKeys, moveKey, type ZoneKeyRow } from './zone-keys.ts';
import { showSigning } from './zone-signing.ts';

type State = ZoneKeyRow['state'];

function keyIn(keys: readonly ZoneKeyRow[], state: State): ZoneKeyRow | undefined {
  return keys.find((key) => key.state === state);
}

/**
 * Announces a new key of a domain of theirs: it is published and signs the keys beside the active one, so that its DS
 * record may be added beside the other at once. Throws 404, and 409 NOT_SIGNED or ROLL_UNDER_WAY.
 */
export async function rollKey(
  ctx: UserContext,
  { secrets }: Pick<DnsParts, 'secrets'>,
  { domain }: z.output<typeof dns.rollKey.input>,
): Promise<ZoneSigning> {
  await atomically(ctx.db, async (trx) => {
    const { zone, keys } = await lockZoneKeys(trx, ctx.ownerId, domain);
    if (keys.length === 0) throw conflict('NOT_SIGNED', `${domain} isn't signed.`);
    const retiring = keyIn(keys, 'retiring');
    if (retiring) {
      const until = retirementEnd(retiring.since).slice(0, 10);
      throw conflict('ROLL_UNDER_WAY', `The former key of ${domain} is kept until ${until}. Try again then.`);
    }
    if (keyIn(keys, 'incoming')) throw conflict('ROLL_UNDER_WAY', `${domain} already has a new key.`);
    await addKey(trx, secrets, zone, 'incoming');
    await raiseSerial(trx, zone);
  });
  return showSigning(ctx, { domain });
}

/** The key that is to be used. Throws 409 NO_NEW_KEY, or KEY_TOO_NEW while caches may not have it. */
function usableKey(domain: string, keys: readonly ZoneKeyRow[], now: Date): ZoneKeyRow {
  const incoming = keyIn(keys, 'incoming');
  if (!incoming) throw conflict('NO_NEW_KEY', `${domain} has no new key.`);
  const earliest = earliestUse(incoming.since);
  if (Date.parse(earliest) > now.getTime()) {
    const time = `${earliest.slice(0, 16).replace('T', ' ')} UTC`;
    throw conflict('KEY_TOO_NEW', `Resolvers may not know the new key yet. Try again after ${time}.`);
  }
  return incoming;
}

/**
 * Throws 409 DS_MISSING unless resolvers see a DS record of the key that all of them go by, and 503 where they cannot be
 * asked.
 */
async function assertDelegated(
  ctx: UserContext,
  parts: DnsParts,
  domain: string,
  { publicKey }: ZoneKeyRow,
): Promise<void> {
  const published = await parts.lookUpDs(ctx.ownerId, domain);
  if (!published) throw unknownDelegation(domain);
  if (trustedDelegations(domain, publicKey).some((text) => published.includes(text))) return;
  const tag = keyTagOf(publicKey);
  if (possibleDelegations(domain, publicKey).some((text) => published.includes(text))) {
    throw conflict(
      'DS_MISSING',
      `The DS record ${tag} has a SHA-1 digest, which resolvers may ignore. Add the one with SHA-256 at your registrar.`,
    );
  }
  throw conflict(
    'DS_MISSING',
    `Resolvers don't see the DS record ${tag} yet. Add it at your registrar first.`,
  );
}

function unknownDelegation(domain: string) {
  return unavailable(`The DS records of ${domain} can't be checked now. Try again in a moment.`);
}

/**
 * Takes a new key back that is not used yet, once per key; without one, all stays as it is. The parent is asked before
 * there is a transaction, which would wait for it. Throws 404, 409 DS_PUBLISHED while resolvers see its DS record, since
 * that may be the only one left, and 503.
 */
export async function cancelRoll(
  ctx: UserContext,
  parts: DnsParts,
  { domain }: z.output<typeof dns.cancelRoll.input>,
  once: Once<UserContext>,
) {
  const { keys } = await findZoneKeys(ctx.db, ctx.ownerId, domain);
  const unwanted = keyIn(keys, 'incoming');
  if (unwanted) {
    const { known, keyTags } = await delegationOf(parts, ctx.ownerId, domain, [unwanted]);
    if (!known) throw unknownDelegation(domain);
    if (keyTags.length > 0) {
      throw conflict(
        'DS_PUBLISHED',
        `The domain above has the DS record ${keyTags[0]} of the new key. Remove it at your registrar and wait until resolvers have forgotten it, usually a day.`,
      );
    }
  }
  return once(async (inner) => {
    await atomically(inner.db, async (trx) => {
      const { zone } = await lockZoneKeys(trx, inner.ownerId, domain);
      if (!unwanted) return;
      const { numDeletedRows } = await trx
        .deleteFrom('dnsZoneKeys')
        .where('ownerId', '=', inner.ownerId)
        .where('id', '=', unwanted.id)
        .where('state', '=', 'incoming')
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) await raiseSerial(trx, zone);
    });
    return showSigning(inner, { domain });
  });
}

/**
 * Signs with the new key from now on, once per key; the former one stays for what is in caches. The parent is asked
 * before there is a transaction, which would wait for it. Throws 404, 409 NO_NEW_KEY, KEY_TOO_NEW or DS_MISSING, and 503.
 */
export async function finishRoll(
  ctx: UserContext,
  parts: DnsParts,
  { domain }: z.output<typeof dns.finishRoll.input>,
  once: Once<UserContext>,
) {
  const { keys: seen } = await findZoneKeys(ctx.db, ctx.ownerId, domain);
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(ctx.db);
  const now = new Date(rows[0]?.now ?? 0);
  // A repetition finds none any more, and is answered as it was.
  const wanted = keyIn(seen, 'incoming') && usableKey(domain, seen, now);
  if (wanted) await assertDelegated(ctx, parts, domain, wanted);
  return once(async (inner) => {
    await atomically(inner.db, async (trx) => {
      const { zone, keys } = await lockZoneKeys(trx, inner.ownerId, domain);
      const incoming = usableKey(domain, keys, now);
      // Another key has come meanwhile, and nobody has looked for that one's DS record.
      if (incoming.id !== wanted?.id) throw conflict('KEY_TOO_NEW', `${domain} has another new key by now.`);
      const active = keyIn(keys, 'active');
      if (active) await moveKey(trx, active, 'retiring');
      await moveKey(trx, incoming, 'active');
      await raiseSerial(trx, zone);
    });
    return showSigning(inner, { domain });
  });
}
