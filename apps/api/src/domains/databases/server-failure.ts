import type { Logger } from 'pino';
import { unavailable } from '../../core/errors.ts';
import type { DatabaseEngine } from './engines/engine.ts';

/** Why a server failed us, in one sentence that anyone may read; the error itself is for the log. */
export function failureOf(engine: DatabaseEngine): string {
  return engine.unavailable() ?? 'The database server did not respond as expected. Try again in a moment.';
}

/** Throws 503, naming the setting to change, where databases of this type cannot be made or reached. */
export function assertServer(engine: DatabaseEngine): void {
  const reason = engine.unavailable();
  if (reason !== null) throw unavailable(reason);
}

/** Asks a server; its failure is logged and becomes 503. */
export async function asked<T>(
  { engine, log }: { engine: DatabaseEngine; log: Logger },
  question: () => T | Promise<T>,
): Promise<T> {
  try {
    return await question();
  } catch (error) {
    log.error({ err: error, type: engine.type }, 'a server of managed databases failed');
    throw unavailable(failureOf(engine));
  }
}
