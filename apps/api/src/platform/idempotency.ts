import { Earlier, type Once, type RequestKey } from '@nephos/contracts/implement';
import type { Row } from '@nephos/contracts/kit';
import { atomically, type Database } from '@nephos/db';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../core/context.ts';
import { conflict, invalid, Refusal, unprocessable } from '../core/errors.ts';
import type { SecretsBox } from './secrets-box.ts';

const KEY = /^[A-Za-z0-9_-]{1,255}$/;
const KEPT_DAYS = 7;

/** The first answer to a key, as it is stored. */
const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), output: z.unknown().optional(), existing: z.boolean().optional() }),
  z.object({
    ok: z.literal(false),
    code: z.custom<Refusal['code']>((code) => typeof code === 'string' && code in TRPC_ERROR_CODES_BY_KEY),
    reason: z.string(),
    message: z.string(),
    existingId: z.string().optional(),
  }),
]);
type Answer = z.output<typeof Answer>;

/** An answer with a secret in it, in base64. */
const SealedAnswer = z.object({ sealed: z.string() });
type SealedAnswer = z.output<typeof SealedAnswer>;

const StoredAnswer = z.union([SealedAnswer, Answer]);

const SEAL_CONTEXT = 'idempotency_keys.answer';

function sealed(secrets: SecretsBox, answer: Answer): SealedAnswer {
  return { sealed: secrets.seal(JSON.stringify(answer), SEAL_CONTEXT).toString('base64') };
}

function opened(secrets: SecretsBox, stored: unknown): Answer {
  const answer = StoredAnswer.parse(stored);
  if (!('sealed' in answer)) return answer;
  return Answer.parse(JSON.parse(secrets.open(Buffer.from(answer.sealed, 'base64'), SEAL_CONTEXT)));
}

interface Attempt {
  caller: string;
  procedure: string;
  key: string;
  fingerprint: string;
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, canonical(inner)]),
  );
}

/** 422: the key came before, with another input. */
export function keyReused(): Refusal {
  return unprocessable(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was already used with a different request.',
  );
}

/**
 * The key of an `Idempotency-Key` header, without the quotes of structured fields (RFC 8941); undefined where the header
 * is absent. Throws 400.
 */
export function readKey(
  secrets: SecretsBox,
  header: string | undefined,
  input: unknown,
): RequestKey | undefined {
  if (header === undefined) return undefined;
  const value = header.replace(/^"(.*)"$/, '$1');
  if (!KEY.test(value)) {
    throw invalid('Idempotency-Key must be 1 to 255 letters, digits, _ or - characters.');
  }
  // Keyed, because an input may be a password, of which a plain digest can be guessed.
  return { value, fingerprint: secrets.fingerprint(JSON.stringify(canonical(input)) ?? '') };
}

/** The stored answer to an attempt; undefined for the first, which holds the key's lock until it commits. */
async function claim(trx: Kysely<Database>, attempt: Attempt): Promise<unknown> {
  const name = `${attempt.caller}|${attempt.procedure}|${attempt.key}`;
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(trx);
  const earlier = await trx
    .selectFrom('idempotencyKeys')
    .select(['fingerprint', 'answer'])
    .where('caller', '=', attempt.caller)
    .where('procedure', '=', attempt.procedure)
    .where('key', '=', attempt.key)
    .executeTakeFirst();
  // Whoever holds the lock may only be giving an answer again that was stored long ago.
  if (!earlier && !rows[0]?.locked) {
    throw conflict('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still in progress.');
  }
  if (!earlier) return undefined;
  if (earlier.fingerprint !== attempt.fingerprint) throw keyReused();
  return earlier.answer;
}

type Task = () => void;
type Work = (ctx: Context) => Promise<unknown>;

/**
 * Runs the write and collects what is to follow its commit; a refusal undoes what it did but is an answer too.
 * Validation and our own faults are not kept.
 */
async function effect(ctx: Context, work: Work): Promise<{ answer: Answer; tasks: readonly Task[] }> {
  const tasks: Task[] = [];
  await sql`savepoint effect`.execute(ctx.db);
  try {
    const result = await work({ ...ctx, afterCommit: (task) => tasks.push(task) });
    const earlier = result instanceof Earlier ? result : undefined;
    const output = earlier ? earlier.output : result;
    return { answer: { ok: true, output, existing: earlier?.origin.found ?? false }, tasks };
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === 'VALIDATION' || error.retryAfter) throw error;
    await sql`rollback to savepoint effect`.execute(ctx.db);
    const { code, reason, message, existingId } = error;
    return { answer: { ok: false, code, reason, message, existingId }, tasks: [] };
  }
}

/** A write that may come with a key. */
export interface KeyedCall {
  row: Row;
  /** `domain.procedure`. */
  path: string;
  /** Whose keys these are: the id of a person, or an address of someone signed out. */
  caller: string;
  key: RequestKey | undefined;
  ctx: Context;
}

/**
 * Makes what runs the call's write at most once per key: the first answer is stored in the transaction of the effect and
 * given again to every repetition, also at the same time and on another server, for seven days. Throws 409
 * IDEMPOTENCY_IN_PROGRESS, and 422 IDEMPOTENCY_KEY_REUSED for another input.
 */
export function createOnce(secrets: SecretsBox, call: KeyedCall): Once<Context> {
  const { row, path, caller, key, ctx } = call;
  if (!key) return (work) => work(ctx);
  const { value, fingerprint } = key;
  const fingerprintWith = (apart: string) =>
    apart === '' ? fingerprint : secrets.fingerprint(`${fingerprint} ${apart}`);

  async function answerOf(work: Work, apart: string) {
    const attempt = { caller, procedure: path, key: value, fingerprint: fingerprintWith(apart) };
    return atomically(ctx.db, async (trx) => {
      const earlier = await claim(trx, attempt);
      if (earlier !== undefined) return { answer: opened(secrets, earlier), tasks: [], replayed: true };
      const { answer, tasks } = await effect({ ...ctx, db: trx }, work);
      await trx
        .insertInto('idempotencyKeys')
        .values({ ...attempt, answer: JSON.stringify(row.secret ? sealed(secrets, answer) : answer) })
        .execute();
      return { answer, tasks, replayed: false };
    });
  }

  return async (work, apart = '') => {
    const { answer, tasks, replayed } = await answerOf(work, apart);
    if (!answer.ok) {
      const { code, reason, message, existingId } = answer;
      throw new Refusal({ code, reason, message, existingId, replayed });
    }
    for (const task of tasks) ctx.afterCommit(task);
    const found = answer.existing ?? false;
    // The type of the output is the caller's own: what was kept under the key is what the same work answered.
    const output = answer.output as never;
    return found || replayed ? new Earlier(output, { found, replayed }) : output;
  };
}

/** Forgets keys older than seven days. */
export async function sweepIdempotencyKeys(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
