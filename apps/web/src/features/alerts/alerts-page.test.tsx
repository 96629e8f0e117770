import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { mockAlert } from '../../test/mock-alerts.ts';
import { mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const recovered = { recoveredAt: '2026-11-23T13:00:00.000Z', read: true };

test('the bell counts what is unread, live, and its list leads to the thing and marks it as read', async () => {
  const { world, user, router } = renderPage('/alerts', { alerts: [mockAlert()] });
  const bell = await screen.findByRole('button', { name: 'Alerts, 1 unread' });
  world.alerts = [mockAlert({ kind: 'app-crashed', text: 'web ended.', count: 3 }), ...world.alerts];
  const stream = await waitFor(() => FakeEventSource.of('alerts.changes') ?? expect.fail());
  stream.connect();
  stream.send('1', { unread: 2 });
  await screen.findByRole('button', { name: 'Alerts, 2 unread' });
  await user.click(bell);
  const drawer = within(await screen.findByRole('dialog', { name: 'Alerts' }));
  await drawer.findByText(/3 times/);
  await user.click(drawer.getByRole('link', { name: 'Unread. App crashed: Shop' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/account'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(world.alerts.map(({ read }) => read)).toEqual([true, false]);
  await screen.findByRole('button', { name: 'Alerts, 1 unread' });
});

test('the page shows all alerts, or those that are unread or not over, and marks all as read', async () => {
  const alerts = [mockAlert(), mockAlert({ kind: 'cron-missed', ...recovered })];
  const { world, user } = renderPage('/alerts', { alerts });
  const list = within(await screen.findByRole('list', { name: 'Alerts' }));
  expect(list.getAllByRole('listitem')).toHaveLength(2);
  await user.click(list.getByRole('button', { name: 'Mark as unread: Cron job missed: Shop' }));
  await waitFor(() => expect(world.alerts[1]?.read).toBe(false));
  await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
  await screen.findByRole('button', { name: 'Alerts' });
  expect(world.alerts.every(({ read }) => read)).toBe(true);
});

test('says so where no alert is like what was chosen', async () => {
  renderPage('/alerts?view=unread');
  await screen.findByText('No alerts match.');
});

test("a project's page shows the alerts of that project, and nothing of them where there are none", async () => {
  const project = mockProject();
  const path = `/projects/${project.id}`;
  const alerts = [
    mockAlert({ path: `${path}/log` }),
    mockAlert({ subject: { ...mockAlert().subject, name: 'Blog' } }),
  ];
  renderPage(path, { projects: [project], alerts });
  const section = within(await screen.findByRole('region', { name: 'Alerts' }));
  expect(section.getAllByRole('listitem')).toHaveLength(1);
  section.getByRole('link', { name: 'Unread. Deployment failed: Shop' });
  cleanup();
  const { world } = renderPage(path, { projects: [project] });
  const isAsked = () => world.calls.some(({ path: row }) => row === 'alerts.list');
  await waitFor(() => expect(isAsked()).toBe(true));
  expect(screen.queryByRole('region', { name: 'Alerts' })).toBeNull();
});
