import type { UserContext } from '../../../core/context.ts';
import { differenceOf } from '../../dns/changes/difference.ts';
import { saveRecords } from '../../dns/changes/save-records.ts';
import { recordsOfZone } from '../../dns/records.ts';
import { lockZone } from '../../dns/zones.ts';
import { type AppRecordsInput, type AppRecordsParts, findAppRecords } from './find-app-records.ts';

/**
 * Deletes what `findAppRecords` finds, a change per domain, in the transaction `ctx.db`. Zones are locked before the
 * account and the project, as those do that make both. Throws 404, and 409 where another record needs one of these.
 */
export async function removeAppRecords(
  { db: trx, ownerId, user }: UserContext,
  parts: AppRecordsParts,
  of: AppRecordsInput,
): Promise<void> {
  const seen = await findAppRecords({ db: trx, ownerId }, parts, of);
  const domains = [...new Set(seen.map(({ domain }) => domain))].sort();
  for (const domain of domains) await lockZone(trx, ownerId, domain);
  const records = await findAppRecords({ db: trx, ownerId }, parts, of);
  const gone = new Set(records.map(({ id }) => id));
  for (const domain of new Set(records.map((record) => record.domain))) {
    const zone = await lockZone(trx, ownerId, domain);
    if (!zone) continue;
    const before = await recordsOfZone(trx, zone);
    const after = before.filter(({ id }) => !gone.has(id));
    const difference = differenceOf(before, after);
    const saved = { ownerId, domain, zone, claim: undefined, after, difference };
    await saveRecords(trx, saved, { kind: 'edit', userId: user.id });
  }
}
