import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadSetup, ToThread } from './thread-messages.ts';
import type { ZoneData } from './zone.ts';

export interface ServerThread {
  apply(changed: readonly ZoneData[], removed: readonly string[]): void;
  /** Binds its sockets; resolves to the code of the failure, or to nothing. */
  open(): Promise<{ code: string; message: string } | undefined>;
  close(): Promise<void>;
}

export interface ThreadEvents {
  onError(message: string): void;
  /** It died. Not called for `close`. */
  onDeath(error: unknown): void;
}

const FILE = new URL('./thread.ts', import.meta.url);

/** Starts the thread that serves; its sockets stay closed until `open`. */
export function startThread(setup: ThreadSetup, events: ThreadEvents): ServerThread {
  const worker = new Worker(FILE, { name: 'name server', workerData: setup });
  const exited = once(worker, 'exit').catch(() => {});
  let closing = false;
  let settleOpening: (failure: { code: string; message: string } | undefined) => void = () => {};

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'error') events.onError(message.message);
    else settleOpening(message.kind === 'refused' ? message : undefined);
  });
  worker.once('error', (error) => {
    if (!closing) events.onDeath(error);
  });

  const tell = (message: ToThread) => worker.postMessage(message);
  return {
    apply: (changed, removed) => tell({ kind: 'zones', changed, removed }),
    open: () =>
      new Promise((resolve) => {
        settleOpening = resolve;
        tell({ kind: 'open' });
      }),
    async close() {
      closing = true;
      tell({ kind: 'close' });
      await exited;
    },
  };
}
