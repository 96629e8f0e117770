import { timingSafeEqual } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { Card, Intent } from './provider.ts';

type IntentRow = Selectable<Database['sandboxIntents']>;

/** How the sandbox keeps payments; what is asked of it goes through a connection of its own, as to any provider. */
export interface SandboxDeps {
  db: Kysely<Database>;
  secrets: Pick<SecretsBox, 'fingerprint'>;
}

/** What becomes of a payment that arrives. */
export const SUCCEEDED = { status: 'succeeded', failure: '', paidAt: sql<string>`now()` } as const;

const SECRET_LENGTH = 24;
const RANDOM_LENGTH = 24;

/** For example `pi_sandbox_0b7c…`. */
export function newSandboxId(kind: 'cus' | 'pi' | 'pm') {
  return sql<string>`${`${kind}_sandbox_`} || left(replace(gen_random_uuid()::text, '-', ''), ${RANDOM_LENGTH})`;
}

/** A payment's client secret: always the same, stored nowhere, and not to be told from the id without our key. */
export function clientSecretOf({ secrets }: Pick<SandboxDeps, 'secrets'>, id: string): string {
  return `${id}_secret_${secrets.fingerprint(`sandbox payment ${id}`).slice(0, SECRET_LENGTH)}`;
}

/** The payment whose client secret this is; undefined for what is none. */
export function idOfSecret(deps: Pick<SandboxDeps, 'secrets'>, clientSecret: string): string | undefined {
  const [id = ''] = clientSecret.split('_secret_');
  const expected = Buffer.from(clientSecretOf(deps, id));
  const given = Buffer.from(clientSecret);
  return expected.length === given.length && timingSafeEqual(expected, given) ? id : undefined;
}

/** `lock` holds the payment until the transaction ends. */
export async function readSandboxIntent(
  deps: SandboxDeps,
  id: string,
  { lock = false } = {},
): Promise<Intent | null> {
  const query = deps.db.selectFrom('sandboxIntents').selectAll().where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row ? sandboxIntentOf(deps, row) : null;
}

export async function sandboxIntentOf(deps: SandboxDeps, row: IntentRow): Promise<Intent> {
  return {
    id: row.id,
    status: row.status,
    amountReceived: row.status === 'succeeded' ? row.amount : 0,
    currency: row.currency,
    livemode: row.livemode,
    metadata: row.metadata,
    clientSecret: clientSecretOf(deps, row.id),
    card: row.cardId === null ? null : await cardOf(deps.db, row.cardId),
    paidAt: row.paidAt,
    failure: row.failure,
  };
}

async function cardOf(db: Kysely<Database>, id: string): Promise<Card | null> {
  const card = await db
    .selectFrom('sandboxCards')
    .select(['id', 'brand', 'last4', 'expiryMonth', 'expiryYear'])
    .where('id', '=', id)
    .executeTakeFirst();
  return card ?? null;
}
