import type { Engine } from '@nephos/contracts';
import type { Logger } from 'pino';

/** Milliseconds. */
const PATIENCE = 2000;

/** Part of what the server runs on; `look` really asks it, and is cut off after two seconds. */
export interface EngineCheck extends Omit<Engine, keyof Finding> {
  look(): Promise<Finding> | Finding;
}

/** `detail` never holds a secret, nor what a server said about itself. */
export type Finding = Pick<Engine, 'state' | 'detail' | 'isolation' | 'nodes' | 'certificates' | 'damaged'>;

export function healthy(detail: string): Finding {
  return { state: 'healthy', detail };
}

export function unhealthy(detail: string): Finding {
  return { state: 'unhealthy', detail };
}

export function off(detail: string): Finding {
  return { state: 'off', detail };
}

/** What the server runs on, each part asked at the same time. */
export function checkEngines(engines: readonly EngineCheck[], log: Logger): Promise<Engine[]> {
  return Promise.all(
    engines.map(async ({ look, ...engine }) => ({ ...engine, ...(await findingOf(look, engine.id, log)) })),
  );
}

async function findingOf(look: EngineCheck['look'], id: string, log: Logger): Promise<Finding> {
  const late = Promise.withResolvers<Finding>();
  const timer = setTimeout(() => late.resolve(unhealthy('No response within two seconds.')), PATIENCE);
  try {
    return await Promise.race([look(), late.promise]);
  } catch (error) {
    log.warn({ err: error, engine: id }, 'an engine is not responding');
    return unhealthy('Unexpected response. See the Nephos log for details.');
  } finally {
    clearTimeout(timer);
  }
}
