import { type DeliverParts, deliver } from './deliver.ts';
import { type DeliveryRow, takeDue } from './due-deliveries.ts';

/** Tells what is due, beside the other replicas: each message is taken by one, from the database. */
export interface DeliveryLoop {
  start(): void;
  stop(): Promise<void>;
}

/** Sent by a trigger, see migration 0078. */
const CHANNEL = 'alert_delivery';
/** Messages at once, so that services which do not answer hold up few others. */
const AT_ONCE = 16;
/** Milliseconds until what another replica left, a lost notification, or the end of quiet hours is found. */
const POLL = 15_000;
const RETRY = 2000;
const SECOND = 1000;

export function createDeliveryLoop(parts: DeliverParts): DeliveryLoop {
  const { db, log, notifications } = parts;
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  let work: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let unsubscribe = () => {};

  /** Begins a round in so many milliseconds, or where one is to begin earlier, with that. */
  function begin(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (ending.signal.aborted || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timerAt = Number.POSITIVE_INFINITY;
      // What came while a round is under way may have come too late for it.
      if (work) return begin(SECOND / 10);
      work = round().finally(() => {
        work = undefined;
        begin(POLL);
      });
    }, milliseconds).unref();
  }

  async function tell(delivery: DeliveryRow): Promise<void> {
    try {
      const pause = await deliver(parts, delivery, ending.signal);
      if (pause !== undefined) begin(pause * SECOND);
    } catch (error) {
      if (ending.signal.aborted) return;
      log.warn({ err: error, delivery: delivery.id }, 'an alert could not be told; it is tried again');
    }
  }

  async function round(): Promise<void> {
    try {
      const due = running.size < AT_ONCE ? await takeDue(db, AT_ONCE - running.size) : [];
      for (const delivery of due) {
        const one = tell(delivery).finally(() => {
          running.delete(one);
          // There may be some for which there was no room, here or beside others of their channel.
          begin(0);
        });
        running.add(one);
      }
    } catch (error) {
      log.warn({ err: error }, 'alerts to be told could not be read; they are told in a moment');
      begin(RETRY);
    }
  }

  return {
    start() {
      const wake = () => begin(0);
      unsubscribe = notifications.subscribe(CHANNEL, wake, wake);
      wake();
    },
    async stop() {
      unsubscribe();
      ending.abort();
      clearTimeout(timer);
      await work;
      await Promise.all(running);
    },
  };
}
