import { relativeName } from '@nephos/contracts';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { Settings } from '../core/settings.ts';
import { createProtocolOf } from './client-protocol.ts';

const YEAR = 365 * 24 * 60 * 60;

/** What Stripe's card form needs: its script, its frames and its API (docs.stripe.com/security/guide). */
const STRIPE = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connections: ['https://api.stripe.com'],
};
const NOBODY: typeof STRIPE = { scripts: [], frames: [], connections: [] };

export interface SecurityOptions {
  settings: Pick<Settings, 'publicUrl' | 'appsDomain' | 'httpsPort' | 'trustProxy'>;
  /** Whether card payments go to Stripe: nobody else's script runs here, and Stripe's only then. */
  stripe: boolean;
}

/** The headers that keep other sites, frames and scripts away from the console. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { settings, stripe }: SecurityOptions,
): Promise<void> {
  const { scripts, frames, connections } = stripe ? STRIPE : NOBODY;
  // Made once: `@fastify/helmet` would read the policy again at each request.
  const setConstantHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...connections],
        frameSrc: ["'self'", ...frames],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  app.addHook('onRequest', (request, reply, done) =>
    setConstantHeaders(request.raw, reply.raw, () => done()),
  );

  const hsts = hstsOf(settings);
  const protocolOf = createProtocolOf(settings);
  app.addHook('onSend', async (request, reply) => {
    if (hsts !== undefined && protocolOf(request.raw) === 'https') {
      reply.header('strict-transport-security', hsts);
    }
    reply.header('x-request-id', request.id);
    const isApi = request.url.startsWith('/api') || request.url.startsWith('/trpc');
    if (isApi && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/** Where the console is reached by https (RFC 6797). Apps below its host may have http alone. */
function hstsOf({ publicUrl, appsDomain }: SecurityOptions['settings']): string | undefined {
  if (publicUrl.protocol !== 'https:') return undefined;
  const hasAppsBelow = relativeName(appsDomain, publicUrl.hostname) !== undefined;
  return `max-age=${YEAR}${hasAppsBelow ? '' : '; includeSubDomains'}`;
}
