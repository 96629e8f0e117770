import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { followEvents, listEvents, sweepEvents } from './events.ts';

type Platformed = Pick<Platform, 'db' | 'notifications'>;

/** What can be seen of running apps: their events. */
export function createObservability({
  db,
  notifications,
}: Platformed): Domain<typeof contract.observability> {
  return {
    handlers: {
      events: ({ ctx, input }) => listEvents(ctx, input),
      newEvents: ({ ctx, input, lastEventId }) => followEvents(ctx, notifications, { ...input, lastEventId }),
    },
    sweeps: { projectEvents: () => sweepEvents(db) },
  };
}
