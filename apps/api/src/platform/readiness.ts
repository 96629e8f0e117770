import type { Notifications } from './notifications.ts';

/** Whether this server can do all that it is asked for. */
export interface Readiness {
  /** What is missing, in one sentence; null when nothing is. */
  missing(): string | null;
  /** Everything that has to be begun was. */
  begun(): void;
  /** The end has begun. */
  ending(): void;
}

/** Not ready before `begun`, after `ending`, and while changes on other servers are not heard of. */
export function createReadiness(notifications: Pick<Notifications, 'isListening'>): Readiness {
  let missing: string | null = 'The server is starting.';
  return {
    missing: () => missing ?? (notifications.isListening() ? null : 'The notification connection is lost.'),
    begun() {
      missing = null;
    },
    ending() {
      missing = 'The server is stopping.';
    },
  };
}
