import { randomBytes } from 'node:crypto';
import type { Database } from '@nephos/db';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isOnlyForThisMachine, usualSender } from '../../core/env.ts';
import { Environment } from '../../core/environment.ts';
import { invalid, notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { limitVisits } from '../../http/visit-limit.ts';
import { boundedFetch } from '../../platform/bounded-fetch.ts';
import { httpAddress, servesConsoleHttps } from '../../platform/host-address.ts';
import type { Platform } from '../../platform/platform.ts';

const PROOF_PATH = '/api/own-address';
const PROOF_CONTEXT = 'own-address';
const ANSWER_BYTES = 1000;
/** Milliseconds that an address has to answer. */
const PATIENCE = 5000;
const UNCHECKED = "set PUBLIC_URL in the server's environment, where nothing is checked";

/**
 * Takes the public address that administrators decided, before anything is made by it: cookies, certificates, the
 * registry's names. What the environment sets stays, and is the way back from an address that nobody reaches.
 */
export async function adoptPublicUrl(
  settings: Settings,
  { db, log }: { db: Kysely<Database>; log: Logger },
): Promise<void> {
  if (settings.fixed.includes('publicUrl')) return;
  const row = await db.selectFrom('installationSettings').select('publicUrl').executeTakeFirst();
  if (!row?.publicUrl) return;
  const former = usualSender(settings.publicUrl);
  settings.publicUrl = new URL(row.publicUrl);
  if (settings.mail?.from.address === former.address) {
    settings.mail = { ...settings.mail, from: usualSender(settings.publicUrl) };
  }
  if (settings.rateLimits || isOnlyForThisMachine(settings)) return;
  settings.rateLimits = true;
  log.warn('RATE_LIMITS=off does not hold for a public address that others can reach');
}

/** Answers who asks, by an address, whether it is that of this installation: a replica as well opens what one sealed. */
export function addProofRoute(
  app: FastifyInstance,
  { settings, secrets }: Pick<Platform, 'settings' | 'secrets'>,
): void {
  limitVisits(app, settings, 'health');
  app.get(PROOF_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const { data } = z.object({ proof: z.string().max(ANSWER_BYTES) }).safeParse(request.query);
    if (!data) throw notFound();
    reply.type('text/plain; charset=utf-8');
    try {
      return secrets.open(Buffer.from(data.proof, 'base64url'), PROOF_CONTEXT);
    } catch {
      throw notFound();
    }
  });
}

async function isOurs(origin: string, { secrets }: Pick<Platform, 'secrets'>): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex');
  const proof = secrets.seal(nonce, PROOF_CONTEXT).toString('base64url');
  const address = new URL(`${PROOF_PATH}?proof=${proof}`, origin);
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await boundedFetch(ANSWER_BYTES)(address, { redirect: 'error', signal });
    return response.ok && (await response.text()) === nonce;
  } catch {
    return false;
  }
}

/** Where an address is asked: by http as well where the certificate for it will be ours, which is ordered once it is used. */
function placesOf(origin: URL, settings: Settings): string[] {
  const next = { ...settings, publicUrl: origin };
  const { hostname } = origin;
  // The authority asks port 80, which may be led to ours.
  const byHttp = servesConsoleHttps(next) ? [`http://${hostname}`, httpAddress(next, hostname)] : [];
  return [...new Set([origin.origin, ...byHttp])];
}

/** What is wrong with a new public address, in a sentence; else the origin that it is. */
export async function checkPublicUrl(
  text: string,
  { settings, secrets }: Pick<Platform, 'settings' | 'secrets'>,
): Promise<URL | string> {
  const { data } = Environment.shape.PUBLIC_URL.safeParse(text.trim());
  const url = data === undefined ? null : URL.parse(data);
  if (!url || url.username || url.password || url.search || url.hash || url.pathname !== '/') {
    return 'Enter an address like https://console.example.com, without a path.';
  }
  const origin = new URL(url.origin);
  if (origin.href === settings.publicUrl.href) return origin;
  const { hostname } = origin;
  if (hostname.endsWith(`.${settings.appsDomain}`) && hostname !== settings.publicUrl.hostname) {
    return `Names below ${settings.appsDomain} are those of apps: enter another one, or ${UNCHECKED}.`;
  }
  const places = placesOf(origin, settings);
  const answers = await Promise.all(places.map((place) => isOurs(place, { secrets })));
  if (answers.includes(true)) return origin;
  const what =
    places.length > 1
      ? 'DNS record and that its port 80 leads here'
      : 'DNS record, port, certificate and proxy';
  return `${places.at(1) ?? origin.origin} doesn't answer as this server. Check its ${what}; or ${UNCHECKED}.`;
}

export function refusedPublicUrl(message: string) {
  return invalid(message, [{ path: 'publicUrl', message }]);
}
