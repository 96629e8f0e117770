import type { FastifyInstance } from 'fastify';
import { forbidden } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route authenticates its caller by something a browser does not send by itself. */
    anyOrigin?: boolean;
    /** The route takes bodies other than JSON. */
    anyBody?: boolean;
    /** The route takes HTML forms beside JSON. */
    formBody?: boolean;
  }
}

/** Whether a request can have been made by a page of another origin in a signed-in browser. */
export function isForeign(headers: Record<string, unknown>, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  return headers.origin !== undefined && headers.origin !== origin;
}

/**
 * Refuses writes that another site makes in the browser's name, as a form on its page would. Under its own host and port
 * the console stays usable where administrators decided on its address: theirs may turn out to be wrong.
 */
export function checkOrigin(
  app: FastifyInstance,
  { publicUrl, ownUrl, fixed }: Pick<Settings, 'publicUrl' | 'ownUrl' | 'fixed'>,
): void {
  const { origin } = publicUrl;
  const isAnyForeign = (headers: Record<string, unknown>) =>
    isForeign(headers, origin) && (fixed.includes('publicUrl') || isForeign(headers, ownUrl.origin));
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method) || request.routeOptions.config.anyOrigin) return;
    if (isAnyForeign(request.headers)) {
      throw forbidden(
        'CSRF',
        `This request came from another site. Open the console at ${origin} and try again.`,
      );
    }
  });
}
