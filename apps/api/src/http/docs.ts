import { promisify } from 'node:util';
import { constants, createGunzip, gzip } from 'node:zlib';
import { apiDocument } from '@nephos/contracts/openapi';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../core/settings.ts';

const SCRIPT = '/api/docs/reference.js';
/** Seconds that a browser keeps the script, of which 1.4 MB travel. */
const A_DAY = 86_400;

/** Nothing is fetched from elsewhere, and no request of a visitor goes through somebody else's server. */
const CONFIGURATION = {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideDarkModeToggle: true,
} as const;

/** Shows the reference in the theme that its reader chose for the console. */
const START = `Scalar.createApiReference('#reference', {
  ...${JSON.stringify(CONFIGURATION)},
  forceDarkModeState: document.documentElement.classList.contains('light') ? 'light' : 'dark',
});`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API · Nephos</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <script src="/theme.js"></script>
  </head>
  <body>
    <noscript>Machine-readable API description: <a href="/api/openapi.json">openapi.json</a>.</noscript>
    <div id="reference"></div>
    <script src="${SCRIPT}"></script>
  </body>
</html>`;

/** Scalar's script and the call that starts it, packed by gzip, which every browser reads also by plain http. */
async function packScript(): Promise<Buffer> {
  // The script is 5 MB within its plugin's source: loading it takes 100 ms that a start does without.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const within = Fastify();
  await within.register(scalar, { routePrefix: '/', configuration: CONFIGURATION });
  const { body, statusCode } = await within.inject('/js/scalar.js');
  if (statusCode !== 200) throw new Error(`The script of the API's page was answered with ${statusCode}.`);
  return promisify(gzip)(`${body}\n${START}`, { level: constants.Z_BEST_COMPRESSION });
}

/**
 * `/api/openapi.json`, which the contract's rows make, and `/api/docs`, where Scalar shows it to people. Its script is a
 * file of its own, since our policy runs none within a page.
 */
export function addDocs(app: FastifyInstance, { publicUrl }: Settings): void {
  let packed: Promise<Buffer> | undefined;
  // Made of a thousand schemas: nobody who starts a server waits for it, and few ask for it.
  let document: string | undefined;
  app.get('/api/openapi.json', { compress: {} }, async (_request, reply) => {
    document ??= JSON.stringify(apiDocument(publicUrl.origin));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  app.get(SCRIPT, async (request, reply) => {
    packed ??= packScript().catch((error: unknown) => {
      // The next visitor's try may succeed.
      packed = undefined;
      throw error;
    });
    const script = await packed;
    reply.headers({ 'cache-control': `public, max-age=${A_DAY}`, vary: 'accept-encoding' });
    reply.type('text/javascript; charset=utf-8');
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
      return reply.header('content-encoding', 'gzip').send(script);
    }
    const unpack = createGunzip();
    unpack.end(script);
    return reply.send(unpack);
  });
}
