import type { Engine } from '@nephos/contracts';
import { type Check, type CheckContext, type Finding, unhealthy } from './check.ts';
import { serverChecks } from './server-checks.ts';
import { systemChecks } from './system-checks.ts';

const PATIENCE_MS = 2000;

function checksOf(ctx: CheckContext): Check[] {
  return [...systemChecks(ctx), ...serverChecks(ctx)];
}

/** What is in use, by the ids of the parts, for the log; nothing is asked. */
export function runningEngines(ctx: CheckContext): Record<string, string> {
  return Object.fromEntries(checksOf(ctx).map(({ id, running }) => [id, running]));
}

/** What the server runs on, each part asked at the same time. */
export function checkEngines(ctx: CheckContext): Promise<Engine[]> {
  return Promise.all(
    checksOf(ctx).map(async ({ look, ...engine }) => ({
      ...engine,
      ...(await findingOf(ctx, engine.id, look)),
    })),
  );
}

async function findingOf({ log }: CheckContext, id: string, look: Check['look']): Promise<Finding> {
  const late = Promise.withResolvers<Finding>();
  const timer = setTimeout(
    () => late.resolve(unhealthy('It did not answer within two seconds.')),
    PATIENCE_MS,
  );
  try {
    return await Promise.race([look(), late.promise]);
  } catch (error) {
    log.warn({ err: error, engine: id }, 'an engine does not answer');
    return unhealthy('It does not answer as it should. The log of Nephos says why.');
  } finally {
    clearTimeout(timer);
  }
}
