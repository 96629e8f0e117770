import { randomUUID } from 'node:crypto';
import type { BucketRules, buckets } from '@nephos/contracts';
import { UPLOADS_BUCKET } from '@nephos/contracts/constants';
import { atomically, type CorsRule, type Database, type LifecycleRule } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';

type LifecycleInput = z.output<typeof buckets.setLifecycle.input>;
type CorsInput = z.output<typeof buckets.setCors.input>;
type ChangeContext = Pick<UserContext, 'db' | 'ownerId' | 'audit'>;

interface RulesRow {
  name: string;
  cors: readonly CorsRule[] | null;
  lifecycle: readonly LifecycleRule[] | null;
  revision: string;
}

// Of what is stored, which has its members in an order of its own.
const REVISION = sql<string>`md5(jsonb_build_array(lifecycle, cors)::text)`.as('revision');

/** Throws 404. */
export async function findRules(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  id: string,
): Promise<BucketRules> {
  const bucket = await ownRules(db, ownerId, id).executeTakeFirst();
  if (!bucket) throw notFound();
  return rulesOf(bucket);
}

/**
 * Sets what of a bucket goes at what age. Which of the two forms of S3 a rule came in is kept while it fits, since clients
 * compare what they read with what they wrote. Throws 404 and 409 CHANGED.
 */
export function setLifecycle(
  ctx: ChangeContext,
  { id, rules, revision }: Omit<LifecycleInput, 'rules'> & { rules: readonly Ruled[] },
): Promise<BucketRules> {
  return change(ctx, { id, revision }, ({ lifecycle: former }) => ({
    lifecycle: rules.map(({ isPlain, ...rule }) => {
      const { tags, above, below } = rule;
      const fits = Object.keys(tags).length === 0 && above === undefined && below === undefined;
      const before = former?.find((other) => other.id === rule.id);
      return { ...rule, id: rule.id ?? randomUUID(), isPlain: fits && (isPlain ?? before?.isPlain ?? false) };
    }),
  }));
}

/** A rule as it is to be; `isPlain` where its caller knows in which form it came. */
export type Ruled = LifecycleInput['rules'][number] & Partial<Pick<LifecycleRule, 'isPlain'>>;

/** Sets which pages of other sites may call a bucket. Throws 404, 409 CHANGED, and UPLOADS_CORS. */
export function setCors(ctx: ChangeContext, { id, rules, revision }: CorsInput): Promise<BucketRules> {
  return change(ctx, { id, revision }, ({ name }) => {
    // Every workspace has one of this name, so a page that has no key cannot say which one it means.
    if (name === UPLOADS_BUCKET) {
      throw conflict('UPLOADS_CORS', `${UPLOADS_BUCKET} has no CORS rules. Use another bucket.`);
    }
    return { cors: rules };
  });
}

function change(
  { db, ownerId, audit }: ChangeContext,
  { id, revision }: { id: string; revision?: string | undefined },
  to: (before: RulesRow) => { lifecycle: readonly LifecycleRule[] } | { cors: readonly CorsRule[] },
): Promise<BucketRules> {
  return atomically(db, async (trx) => {
    const before = await ownRules(trx, ownerId, id).forNoKeyUpdate().executeTakeFirst();
    if (!before) throw notFound();
    if (revision !== undefined && revision !== before.revision) {
      throw conflict('CHANGED', 'Somebody changed the rules meanwhile. Look at them again.');
    }
    const after = to(before);
    const { name, cors, lifecycle } = before;
    audit.note({ subject: { name }, before: 'cors' in after ? { cors } : { lifecycle }, after });
    const changed = await trx
      .updateTable('buckets')
      .set('cors' in after ? { cors: jsonOf(after.cors) } : { lifecycle: jsonOf(after.lifecycle) })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .returning(['name', 'cors', 'lifecycle', REVISION])
      .executeTakeFirstOrThrow();
    return rulesOf(changed);
  });
}

function jsonOf(rules: readonly object[]): string | null {
  return rules.length === 0 ? null : JSON.stringify(rules);
}

function ownRules(db: Kysely<Database>, ownerId: string, id: string) {
  return db
    .selectFrom('buckets')
    .select(['name', 'cors', 'lifecycle', REVISION])
    .where('ownerId', '=', ownerId)
    .where('id', '=', id);
}

function rulesOf({ cors, lifecycle, revision }: RulesRow): BucketRules {
  return {
    ...{ lifecycle: (lifecycle ?? []).map(({ isPlain: _, ...rule }) => rule), cors: [...(cors ?? [])] },
    revision,
  };
}
