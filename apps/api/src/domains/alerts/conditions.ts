import type { AlertKind } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { type AlertSubject, raiseAlert, recoverAlerts } from './raise-alert.ts';

/** Something that lasts, and is told as it begins, as it gets worse, and as it is over. */
export interface Condition {
  ownerId: string;
  subject: AlertSubject;
  text: string;
  path: string;
  /** How bad it is, from 1: each level is told once. Null: not bad enough to be told, but what was told is not over. */
  level: number | null;
}

const keyOf = (ownerId: string, subjectId: string) => `${ownerId} ${subjectId}`;

/** Raises what is not told yet of all conditions of a kind, and says of those that are not among them that they are over. */
export async function syncConditions(
  db: Kysely<Database>,
  kind: AlertKind,
  conditions: readonly Condition[],
): Promise<void> {
  const told = await openConditions(db, kind);
  for (const { level, ...condition } of conditions) {
    const key = keyOf(condition.ownerId, condition.subject.id);
    const worst = told.get(key)?.worst ?? 0;
    told.delete(key);
    if (level !== null && level > worst) await raiseAlert(db, { ...condition, kind, once: String(level) });
  }
  for (const { ownerId, subjectId } of told.values()) {
    await recoverAlerts(db, { ownerId, subjectId, kinds: [kind] });
  }
}

/** What was told and is not over, with the worst of its levels. */
async function openConditions(db: Kysely<Database>, kind: AlertKind) {
  const rows = await db
    .selectFrom('alerts')
    .select(['ownerId', 'subjectId', 'once'])
    .where('kind', '=', kind)
    .where('once', 'is not', null)
    .where('recoveredAt', 'is', null)
    .execute();
  const told = new Map<string, { ownerId: string; subjectId: string; worst: number }>();
  for (const { ownerId, subjectId, once } of rows) {
    const key = keyOf(ownerId, subjectId);
    told.set(key, { ownerId, subjectId, worst: Math.max(Number(once), told.get(key)?.worst ?? 0) });
  }
  return told;
}
