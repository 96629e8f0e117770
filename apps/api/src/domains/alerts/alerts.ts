import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { countUnread, followUnread, listAlerts, markAlert, markAllRead, sweepAlerts } from './list-alerts.ts';
import { type WatchParts, watchConditions, watchLimits } from './watch.ts';

const EVERY_FIVE_MINUTES = '*/5 * * * *';

/** What somebody should look at. Whatever finds such a thing raises it by `raiseAlert`. */
export function createAlerts(
  { db, settings, notifications, jobs }: Pick<Platform, 'db' | 'settings' | 'notifications' | 'jobs'>,
  { servers }: Pick<WatchParts, 'servers'>,
): Domain<typeof contract.alerts> & { watch(): Promise<void> } {
  const parts: WatchParts = { db, settings, servers };
  const watch = () => watchConditions(parts);
  jobs.schedule('alerts.watch', EVERY_FIVE_MINUTES, watch);
  return {
    watch,
    handlers: {
      list: ({ ctx, input }) => listAlerts(ctx, input),
      unread: ({ ctx }) => countUnread(ctx),
      mark: ({ ctx, input }) => markAlert(ctx, input),
      markAllRead: ({ ctx, input }) => markAllRead(ctx, input.through),
      changes: ({ ctx }) => followUnread(ctx, notifications),
    },
    sweeps: { alerts: () => sweepAlerts(db), limitAlerts: () => watchLimits(parts) },
  };
}
