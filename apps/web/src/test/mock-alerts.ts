import { type Alert, type AlertChannel, type AlertDelivery, alertChannels, alerts } from '@nephos/contracts';
import { ALERT_KINDS } from '@nephos/contracts/constants';
import { found, implement, silence, success, unanswered } from './mock-implement.ts';

const NOW = '2026-11-23T12:00:00.000Z';

export function mockAlert(changes: Partial<Alert> = {}): Alert {
  return {
    id: crypto.randomUUID(),
    kind: 'deploy-failed',
    subject: { kind: 'project', id: 'shop', name: 'Shop' },
    text: 'The build failed.',
    path: '/account',
    ...{ count: 1, createdAt: NOW, lastAt: NOW, recoveredAt: null, read: false },
    ...changes,
  };
}

export const alertsMock = implement(alerts, {
  list: ({ ctx: { world }, input: { view, kind, projectId } = {} }) =>
    world.alerts.filter(
      (alert) =>
        (view !== 'unread' || !alert.read) &&
        (view !== 'open' || alert.recoveredAt === null) &&
        (kind === undefined || alert.kind === kind) &&
        (projectId === undefined || alert.path.startsWith(`/projects/${projectId}`)),
    ),
  unread: ({ ctx: { world } }) => ({ unread: world.alerts.filter(({ read }) => !read).length }),
  mark: ({ ctx: { world }, input: { id, read } }) => {
    Object.assign(found(world.alerts, id), { read });
    return success;
  },
  markAllRead: ({ ctx: { world } }) => {
    for (const alert of world.alerts) alert.read = true;
    return success;
  },
  changes: silence,
});

export function mockAlertChannel(changes: Partial<AlertChannel> = {}): AlertChannel {
  return {
    ...{ id: crypto.randomUUID(), type: 'slack', name: 'Ops', address: 'https://hooks.slack.com/…' },
    ...{
      kinds: [...ALERT_KINDS],
      projectId: null,
      quietHours: null,
      enabled: true,
      failingSince: null,
      problem: '',
    },
    createdAt: NOW,
    ...changes,
  };
}

export function mockDelivery(changes: Partial<AlertDelivery> = {}): AlertDelivery {
  return {
    ...{ id: crypto.randomUUID(), channelId: '', event: 'raised', title: 'Deployment failed: Shop' },
    ...{ state: 'failed', tries: 12, status: 500, answer: 'Oops', problem: 'It does not take messages now.' },
    ...{ createdAt: NOW, triedAt: NOW },
    ...changes,
  };
}

export const alertChannelsMock = implement(alertChannels, {
  list: ({ ctx: { world } }) => world.alertChannels,
  create: ({ ctx: { world }, input: { address, ...input } }) => {
    const channel = mockAlertChannel({ ...input, address: `${new URL(address).origin}/…` });
    world.alertChannels = [...world.alertChannels, channel];
    return channel;
  },
  update: ({ ctx: { world }, input: { id, address: _address, ...input } }) =>
    Object.assign(found(world.alertChannels, id), input),
  remove: ({ ctx: { world }, input }) => {
    world.alertChannels = world.alertChannels.filter(({ id }) => id !== input.id);
    return success;
  },
  renewSecret: () => ({ secret: 'shown once' }),
  test: unanswered,
  deliveries: ({ ctx: { world }, input: { id } }) =>
    world.alertDeliveries.filter(({ channelId }) => channelId === id),
  repeat: ({ ctx: { world }, input }) => {
    const again = { ...found(world.alertDeliveries, input.id), id: crypto.randomUUID() };
    world.alertDeliveries = [{ ...again, state: 'delivered', problem: '' }, ...world.alertDeliveries];
    return again;
  },
  preferences: ({ ctx: { world } }) => world.alertPreferences,
  setPreferences: ({ ctx: { world }, input }) => Object.assign(world.alertPreferences, input),
});
