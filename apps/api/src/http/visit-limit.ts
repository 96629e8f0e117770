import type { FastifyInstance } from 'fastify';
import { rateLimited } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { clientAt } from '../platform/client-address.ts';

/** Milliseconds. */
const WINDOW = 60_000;
/** Addresses that are remembered at once; beyond that the one that came first is forgotten. */
const ADDRESSES = 10_000;

/** Visits allowed to one address in a minute. */
const VISITS = {
  /** `/healthz` and `/readyz`, which several watch at once. */
  health: 600,
  /** The console's page and its parts, of which one look takes dozens: many people may share an address. */
  pages: 1200,
} as const;

/** Counts one visit from an address: the seconds to wait before the next one, 0 for a welcome one. */
type CountVisit = (ip: string) => number;

/**
 * Counts visits in this process alone, for answers that cost less than counting in the database would, or have to be
 * given while it is away.
 */
export function createVisitCounter({ rateLimits }: Pick<Settings, 'rateLimits'>, visits: number): CountVisit {
  const windows = new Map<string, { count: number; ends: number }>();
  return (ip) => {
    if (!rateLimits) return 0;
    const client = clientAt(ip);
    const now = performance.now();
    const window = windows.get(client);
    if (window && window.ends > now) {
      window.count += 1;
      return window.count > visits ? Math.ceil((window.ends - now) / 1000) : 0;
    }
    // A new window goes to the end of the map, so that those which end first stand first.
    windows.delete(client);
    windows.set(client, { count: 1, ends: now + WINDOW });
    for (const [other, { ends }] of windows) {
      if (ends > now && windows.size <= ADDRESSES) break;
      windows.delete(other);
    }
    return 0;
  };
}

/** Answers 429 to an address that visits the routes of `scope`, or what is not there in it, too often in a minute. */
export function limitVisits(
  scope: FastifyInstance,
  settings: Pick<Settings, 'rateLimits'>,
  kind: keyof typeof VISITS,
): void {
  const count = createVisitCounter(settings, VISITS[kind]);
  scope.addHook('onRequest', async ({ ip }) => {
    const wait = count(ip);
    if (wait > 0) throw rateLimited(wait);
  });
}
