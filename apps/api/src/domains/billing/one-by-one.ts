import type { Logger } from 'pino';

/** Milliseconds after which a run leaves the rest to the next: a silent provider makes each item wait. */
const LONGEST_RUN = 6 * 60_000;

/** Does `work` for one after another; what fails is logged with its id, and holds up none of the others. */
export async function oneByOne<Item extends { id: string }>(
  items: readonly Item[],
  { log, failure }: { log: Logger; failure: string },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const end = performance.now() + LONGEST_RUN;
  for (const item of items) {
    if (performance.now() > end) return;
    try {
      await work(item);
    } catch (error) {
      log.warn({ err: error, id: item.id }, failure);
    }
  }
}
