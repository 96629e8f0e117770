import type { contract } from '@nephos/contracts';
import { createDueLoop, type DueLoop } from '../../platform/due-work.ts';
import type { Domain } from '../domain.ts';
import { createChannel, listChannels, removeChannel, renewSigningSecret, updateChannel } from './channels.ts';
import { type DeliverParts, deliver } from './deliver.ts';
import { listDeliveries, repeatDelivery, sweepDeliveries, testChannel } from './deliveries.ts';
import { type DeliveryRow, takeDue } from './due-deliveries.ts';
import { readPreferences, setPreferences } from './preferences.ts';

/** Tells what is due, beside the other replicas. */
function createDeliveryLoop(parts: DeliverParts): DueLoop {
  const { db, log, notifications } = parts;
  return createDueLoop<DeliveryRow>({
    ...{ notifications, log, atOnce: 16, settle: 10 },
    // Sent by a trigger, see migration 0078.
    channel: 'alert_delivery',
    take: (most) => takeDue(db, most),
    carryOut: (delivery, signal) => deliver(parts, delivery, signal),
    failed: (error, { id }) =>
      log.warn({ err: error, delivery: id }, 'an alert could not be told; it is tried again'),
  });
}

/** Where alerts are told, and to whom. */
export function createAlertChannels(
  { db, settings, secrets, mail, log, notifications }: DeliverParts,
  { patience, now }: Pick<DeliverParts, 'patience' | 'now'> = {},
): Domain<typeof contract.alertChannels> {
  const parts: DeliverParts = { db, settings, secrets, mail, log, notifications, patience, now };
  const loop = createDeliveryLoop(parts);
  return {
    handlers: {
      list: ({ ctx }) => listChannels(ctx),
      create: ({ ctx, input }) => createChannel(ctx, parts, input),
      update: ({ ctx, input }) => updateChannel(ctx, parts, input),
      remove: ({ ctx, input }) => removeChannel(ctx, input.id),
      renewSecret: ({ ctx, input }) => renewSigningSecret(ctx, parts, input.id),
      test: ({ ctx, input, once }) => testChannel(ctx, parts, input.id, once),
      deliveries: ({ ctx, input }) => listDeliveries(ctx, input),
      repeat: ({ ctx, input, once }) => repeatDelivery(ctx, parts, input.id, once),
      preferences: ({ ctx }) => readPreferences(ctx, mail),
      setPreferences: ({ ctx, input }) => setPreferences(ctx, mail, input),
    },
    sweeps: { alertDeliveries: () => sweepDeliveries(db) },
    async resume() {
      loop.start();
    },
    stop: () => loop.stop(),
  };
}
