import { setTimeout as wait } from 'node:timers/promises';
import { PlaceFailed } from '../repository/backup-store.ts';
import type { Copying, PartCopy } from './copying.ts';

/** What takes long may fail late: it is tried so often at least. */
const TRIES = 3;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1000;

/**
 * Takes something that may just start or stop, and can be taken a moment later. What is gone is left out; what cannot be
 * taken for a minute is missing in the backup, which has all else. Answers why that was so.
 */
export async function patiently(
  { signal }: Pick<Copying, 'signal'>,
  part: PartCopy,
  {
    what,
    isThere = () => true,
    copy,
  }: {
    /** As a sentence begins. */
    what: string;
    isThere?(): boolean;
    /** What it has added when it fails is taken back. */
    copy(): Promise<void>;
  },
): Promise<Error | undefined> {
  const until = Date.now() + PATIENCE_MS;
  for (let tried = 1; isThere(); tried += 1) {
    signal.throwIfAborted();
    const attempt = part.attempt();
    try {
      await copy();
      return;
    } catch (error) {
      if (!(error instanceof Error) || error instanceof PlaceFailed) throw error;
      await attempt.undo();
      if (tried >= TRIES && Date.now() > until) {
        part.miss(`${what} was not taken: ${error.message}`);
        return error;
      }
    } finally {
      attempt.end();
    }
    await wait(PAUSE_MS, undefined, { signal });
  }
}
