import type { dns, ZoneSigning } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { conflict, unavailable } from '../../../core/errors.ts';
import type { DnsParts } from '../dns.ts';
import { keyTagOf } from '../server/signing/zone-key.ts';
import { raiseSerial } from '../zones.ts';
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

/** Throws 409 DS_MISSING unless resolvers see the key's DS record, and 503 where they cannot be asked. */
async function assertDelegated(
  ctx: UserContext,
  parts: DnsParts,
  domain: string,
  { publicKey }: ZoneKeyRow,
): Promise<void> {
  const { known, keyTags } = await delegationOf(parts, ctx.ownerId, domain, [{ publicKey }]);
  if (!known) throw unavailable(`The DS records of ${domain} can't be checked now. Try again in a moment.`);
  if (keyTags.length > 0) return;
  const tag = keyTagOf(publicKey);
  throw conflict(
    'DS_MISSING',
    `Resolvers don't see the DS record ${tag} yet. Add it at your registrar first.`,
  );
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
