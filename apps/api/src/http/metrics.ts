import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { isOnlyForThisMachine } from '../core/env.ts';
import { notFound } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';

function isBearer(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/**
 * `/metrics` for Prometheus: for scrapers that bring the token as a bearer token, or, where none is set, for everyone
 * while only this machine reaches us. What else is counted, `addFigures` add.
 */
export function addMetrics(
  app: FastifyInstance,
  settings: Settings,
  addFigures: readonly ((registry: Registry) => void)[],
): void {
  const { metricsToken: token } = settings;
  const isOpen = token === undefined && isOnlyForThisMachine(settings);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'nephos_' });
  const durations = new Histogram({
    name: 'nephos_http_request_duration_seconds',
    help: 'Time from the request to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });

  for (const add of addFigures) add(registry);

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (request, reply) => {
    const isAdmitted = isOpen || (token !== undefined && isBearer(request.headers.authorization, token));
    if (!isAdmitted) throw notFound();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  app.addHook('onClose', async () => registry.clear());
}
