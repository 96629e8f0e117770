import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { Refusal } from '../../../core/errors.ts';
import type { Queue } from '../../../platform/jobs.ts';
import type { Platform } from '../../../platform/platform.ts';
import { differenceOf } from '../../dns/changes/difference.ts';
import { saveRecords } from '../../dns/changes/save-records.ts';
import { recordsOfZone } from '../../dns/records.ts';
import { lockZone } from '../../dns/zones.ts';

/** Records that followed an app which is gone. */
interface Followers {
  ownerId: string;
  records: readonly { id: string; domain: string; value: string }[];
}

/** Has the records that follow a project go after it, in the transaction that deletes it. */
export type RemoveFollowers = (
  trx: Kysely<Database>,
  project: { ownerId: string; projectId: string },
) => Promise<void>;

/**
 * They go by a job: zones are locked before accounts and projects, which the transaction holds that deletes a project by
 * itself.
 */
export function createFollowersRemoval({
  db,
  jobs,
  log,
}: Pick<Platform, 'db' | 'jobs' | 'log'>): RemoveFollowers {
  const queue: Queue<Followers> = jobs.queue<Followers>(
    'domains.followers',
    { concurrency: 1, expireInSeconds: 60, retryLimit: 2 },
    async ({ ownerId, records }) => {
      for (const [domain, gone] of Map.groupBy(records, (record) => record.domain)) {
        try {
          await removeFrom(db, { ownerId, domain, gone });
        } catch (error) {
          // They stay as any other records, such as where another needs them.
          if (!(error instanceof Refusal)) throw error;
          log.warn({ err: error, domain }, 'records that followed an app could not be deleted');
        }
      }
    },
  );
  return async (trx, { ownerId, projectId }) => {
    const records = await trx
      .selectFrom('dnsRecords as record')
      .innerJoin('dnsZones as zone', 'zone.id', 'record.zoneId')
      .select(['record.id', 'zone.domain', 'record.value'])
      .where('record.ownerId', '=', ownerId)
      .where('record.projectId', '=', projectId)
      .execute();
    if (records.length > 0) await queue.enqueue(trx, { ownerId, records });
  };
}

/** What was changed since, or follows another app by now, stays. */
async function removeFrom(
  db: Kysely<Database>,
  { ownerId, domain, gone }: { ownerId: string; domain: string; gone: Followers['records'] },
): Promise<void> {
  await atomically(db, async (trx) => {
    const zone = await lockZone(trx, ownerId, domain);
    if (!zone) return;
    const free = await trx
      .selectFrom('dnsRecords')
      .select(['id', 'value'])
      .where('ownerId', '=', ownerId)
      .where('zoneId', '=', zone.id)
      .where('projectId', 'is', null)
      .execute();
    const isGone = (id: string) =>
      free.some(
        (one) => one.id === id && gone.some(({ value, ...other }) => other.id === id && value === one.value),
      );
    const before = await recordsOfZone(trx, zone);
    const after = before.filter(({ id }) => !isGone(id));
    if (after.length === before.length) return;
    const difference = differenceOf(before, after);
    const saved = { ownerId, domain, zone, claim: undefined, after, difference };
    await saveRecords(trx, saved, { kind: 'follow', userId: null });
  });
}
