import { setTimeout as wait } from 'node:timers/promises';
import { type EmbeddedOptions, startEmbeddedPostgres } from '@nephos/db/embedded';
import type { Logger } from 'pino';

const RESTART_MS = 1000;

/** An embedded PostgreSQL that is started again, on the same port, whenever it ends unasked. */
export interface KeptPostgres {
  /** The superuser's address. It carries the password: never log it. */
  url: string;
  port: number;
  stop(): Promise<void>;
}

/** Starts it as `options` say. Throws when the first start fails; later ones are tried until one succeeds. */
export async function keepPostgres(options: EmbeddedOptions, log: Logger): Promise<KeptPostgres> {
  let server = await startEmbeddedPostgres(options);
  const { url, port } = server;
  let closing = false;
  const watch = async () => {
    while (!closing) {
      await server.exited;
      if (closing) return;
      log.error('PostgreSQL exited unexpectedly; restarting it');
      await wait(RESTART_MS);
      if (closing) return;
      try {
        server = await startEmbeddedPostgres({ ...options, port });
        // The stop may have come while this one was starting.
        if (closing) await server.stop();
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL failed to start');
      }
    }
  };
  const watching = watch();
  const stop = async () => {
    closing = true;
    await server.stop();
    await watching;
  };
  return { url, port, stop };
}
