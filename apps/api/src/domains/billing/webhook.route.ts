import { STRIPE_WEBHOOK_PATH } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { clientAt } from '../../platform/client-address.ts';
import { countCall } from '../../platform/rate-limit.ts';
import type { BillingParts } from './billing.ts';
import { receiveEvent } from './payment-event.ts';

/** Bytes of an event. */
const BODY_LIMIT = 256 * 1024;
/** Events that one address may send. */
const PER_MINUTE = 600;

/**
 * `POST /api/webhooks/stripe`: Stripe tells what became of payments. The signature over the bytes as they came is its
 * only credential; 200 is said once the event had its effect, or has none here, 503 where Stripe shall come again.
 */
export async function addStripeWebhook(
  app: FastifyInstance,
  parts: BillingParts,
  secret: string,
): Promise<void> {
  // Loaded only where it is used: Stripe's library takes a while.
  const { readEvent } = await import('./stripe-event.ts');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  );
  app.post(STRIPE_WEBHOOK_PATH, { config: { anyBody: true }, bodyLimit: BODY_LIMIT }, async (request) => {
    await countCall(parts, { key: `stripe:${clientAt(request.ip)}`, calls: PER_MINUTE, seconds: 60 });
    const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const signature = String(request.headers['stripe-signature'] ?? '');
    const event = readEvent(payload, { signature, secret, receivedAt: await readClock(parts.db) });
    await receiveEvent(parts, event);
    return { received: true };
  });
}

/** Milliseconds by the database's clock, which decides every expiry. */
async function readClock(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ now: string }>`select now()`.execute(db);
  return Date.parse(rows[0]?.now ?? '');
}
