import type { Row } from '@nephos/contracts/kit';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../context.ts';
import { conflict, invalid, Refusal, unprocessable } from '../errors.ts';

const KEY = /^[A-Za-z0-9_-]{1,255}$/;
const KEPT_DAYS = 7;

/** The first answer to a key, as it is stored. */
type Answer =
  | { ok: true; output: unknown; existing?: boolean }
  | { ok: false; code: Refusal['code']; reason: string; message: string };

/** An answer with a secret in it, in base64. */
interface SealedAnswer {
  sealed: string;
}

const SEAL_CONTEXT = 'idempotency_keys.answer';

function sealed({ secrets }: Context, answer: Answer): SealedAnswer {
  return { sealed: secrets.seal(JSON.stringify(answer), SEAL_CONTEXT).toString('base64') };
}

function opened({ secrets }: Context, answer: Answer | SealedAnswer): Answer {
  if (!('sealed' in answer)) return answer;
  return JSON.parse(secrets.open(Buffer.from(answer.sealed, 'base64'), SEAL_CONTEXT)) as Answer;
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

/** The header's key without the quotes of structured fields; undefined where the header is absent. */
function keyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = header.replace(/^"(.*)"$/, '$1');
  if (!KEY.test(key)) {
    throw invalid('An Idempotency-Key has 1 to 255 letters, digits, _ or - and nothing else.');
  }
  return key;
}

/** 422: the key came before, with another input. */
export function keyReused(): Refusal {
  return unprocessable('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request.');
}

/** Tells inputs apart. Keyed, because an input may be a password, of which a plain digest can be guessed. */
export function fingerprintOf({ secrets }: Pick<Context, 'secrets'>, input: unknown): string {
  return secrets.fingerprint(JSON.stringify(canonical(input)) ?? '');
}

/** Says that the answer is an earlier one. */
export function markReplayed({ setHeader }: Pick<Context, 'setHeader'>): void {
  setHeader('idempotency-replayed', 'true');
}

async function claim(trx: Kysely<Database>, attempt: Attempt): Promise<Answer | SealedAnswer | undefined> {
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
    throw conflict(
      'IDEMPOTENCY_IN_PROGRESS',
      'The first request with this Idempotency-Key is still running.',
    );
  }
  if (!earlier) return undefined;
  if (earlier.fingerprint !== attempt.fingerprint) throw keyReused();
  return earlier.answer as Answer | SealedAnswer;
}

/** Runs the write; a refusal undoes what it did but is an answer too. Validation and our own faults are not kept. */
async function effect(
  trx: Kysely<Database>,
  ctx: Context,
  run: (ctx: Context) => Promise<unknown>,
): Promise<Answer> {
  let existing = false;
  const foundExisting = () => {
    existing = true;
  };
  await sql`savepoint effect`.execute(trx);
  try {
    return { ok: true, output: await run({ ...ctx, db: trx, foundExisting }), existing };
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === 'VALIDATION' || error.retryAfter) throw error;
    await sql`rollback to savepoint effect`.execute(trx);
    return { ok: false, code: error.code, reason: error.reason, message: error.message };
  }
}

interface Call {
  row: Row;
  ctx: Context;
  path: string;
  input: unknown;
}

type Run = (ctx: Context) => Promise<unknown>;

/** `once`, but for a row that keeps keys itself: it gets the key as it is compared. */
export async function onceByKey(call: Call, run: Run): Promise<unknown> {
  const { row, ctx } = call;
  if (row.keepsKeys) return run({ ...ctx, idempotencyKey: keyOf(ctx.idempotencyKey) });
  return once(call, run);
}

/**
 * Runs a write at most once per `Idempotency-Key` (reliability rule G6): the first answer is stored in the transaction
 * of the effect and given again, with `Idempotency-Replayed: true`, to every repetition.
 */
export async function once({ row, ctx, path, input }: Call, run: Run): Promise<unknown> {
  const key = keyOf(ctx.idempotencyKey);
  if (key === undefined) return run(ctx);
  const fingerprint = fingerprintOf(ctx, input);
  const attempt = { caller: ctx.user?.id ?? ctx.ip, procedure: path, key, fingerprint };

  const answer = await atomically(ctx.db, async (trx) => {
    const earlier = await claim(trx, attempt);
    if (earlier) {
      markReplayed(ctx);
      return opened(ctx, earlier);
    }
    const first = await effect(trx, ctx, run);
    await trx
      .insertInto('idempotencyKeys')
      .values({ ...attempt, answer: JSON.stringify(row.secret ? sealed(ctx, first) : first) })
      .execute();
    return first;
  });
  if (answer.ok) {
    if (answer.existing) ctx.foundExisting();
    return answer.output;
  }
  throw new Refusal({ code: answer.code, reason: answer.reason, message: answer.message });
}

/** Forgets keys older than seven days. */
export async function sweepIdempotencyKeys(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
