import { ALERT_RULES, type AlertKind } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { titleOf } from './messages.ts';
import { queueRaised, queueRecovered } from './queue-deliveries.ts';

/** What an alert is about. */
export interface AlertSubject {
  /** For example `project`. */
  kind: string;
  id: string;
  /** As people call it. */
  name: string;
}

export interface NewAlert {
  /** Whose people are told. */
  ownerId: string;
  kind: AlertKind;
  subject: AlertSubject;
  /** A sentence or a few; the first 1,000 characters are kept. */
  text: string;
  /** The console's page about it, from `/` on. */
  path: string;
  /** Which crossing of a threshold it is: it is told once until the alert has recovered. */
  once?: string;
}

/** What is over. */
export interface Recovery {
  ownerId: string;
  kinds: readonly AlertKind[];
  subjectId: string;
}

const MAX_TEXT = 1000;
const MAX_NAME = 200;

/**
 * Tells an owner's people of something, in the transaction `db` or in one of its own. What happens again within an hour is
 * counted in the alert that there is, for a day: what does not end by then is told again.
 */
export async function raiseAlert(db: Kysely<Database>, alert: NewAlert): Promise<void> {
  await atomically(db, async (trx) => {
    if (alert.once === undefined && (await countAgain(trx, alert))) return;
    await insert(trx, alert);
  });
}

/** Counts a repetition; of several transactions at once, each sees what the one before it did. */
async function countAgain(trx: Kysely<Database>, { ownerId, kind, subject }: NewAlert): Promise<boolean> {
  const key = `alert|${ownerId}|${kind}|${subject.id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  const { numUpdatedRows } = await trx
    .updateTable('alerts')
    .set({
      count: sql<number>`count + 1`,
      lastAt: sql<string>`clock_timestamp()`,
      recoveredAt: null,
    })
    .where('ownerId', '=', ownerId)
    .where('kind', '=', kind)
    .where('subjectId', '=', subject.id)
    .where('once', 'is', null)
    .where('lastAt', '>', sql<string>`clock_timestamp() - interval '1 hour'`)
    .where('createdAt', '>', sql<string>`clock_timestamp() - interval '1 day'`)
    // Whose end was told begins anew: who heard of the end has to hear of that.
    .$if(ALERT_RULES[kind].tellsRecovery, (open) => open.where('recoveredAt', 'is', null))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function insert(trx: Kysely<Database>, alert: NewAlert): Promise<void> {
  const { ownerId, kind, subject, text, path, once = null } = alert;
  const subjectName = subject.name.slice(0, MAX_NAME);
  const made = await trx
    .insertInto('alerts')
    .values({
      ...{ ownerId, kind, path, once },
      ...{ subjectKind: subject.kind, subjectId: subject.id, subjectName },
      text: text.slice(0, MAX_TEXT),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return;
  await queueRaised(trx, { ownerId, kind, alertIds: [made.id], title: titleOf({ kind, subjectName }) });
}

/** Says of the alerts of a thing that their cause is over, in the transaction `db`. */
export async function recoverAlerts(
  db: Kysely<Database>,
  { ownerId, kinds, subjectId }: Recovery,
): Promise<void> {
  await atomically(db, async (trx) => {
    const over = await trx
      .updateTable('alerts')
      .set({ recoveredAt: sql<string>`clock_timestamp()` })
      .where('ownerId', '=', ownerId)
      .where('subjectId', '=', subjectId)
      .where('kind', 'in', kinds)
      .where('recoveredAt', 'is', null)
      .returning(['id', 'kind', 'subjectName'])
      .execute();
    for (const kind of kinds.filter((one) => ALERT_RULES[one].tellsRecovery)) {
      const alerts = over.filter((alert) => alert.kind === kind);
      const [first] = alerts;
      if (!first) continue;
      const alertIds = alerts.map(({ id }) => id);
      await queueRecovered(trx, { ownerId, kind, alertIds, title: `Over: ${titleOf(first)}` });
    }
  });
}
