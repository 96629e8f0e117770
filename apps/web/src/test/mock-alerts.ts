import { type Alert, alerts } from '@nephos/contracts';
import { found, implement, silence, success } from './mock-implement.ts';

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
  list: ({ ctx: { world }, input: { view, kind } = {} }) =>
    world.alerts.filter(
      (alert) =>
        (view !== 'unread' || !alert.read) &&
        (view !== 'open' || alert.recoveredAt === null) &&
        (kind === undefined || alert.kind === kind),
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
