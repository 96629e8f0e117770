import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { mockAlertChannel } from '../../test/mock-alerts.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

test('a channel is added with its kinds and quiet hours', async () => {
  const { world, user } = renderPage('/alerts');
  await user.click(await screen.findByRole('button', { name: 'Add channel' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add channel' }));
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Ops');
  await user.type(dialog.getByRole('textbox', { name: 'Address' }), 'https://hooks.slack.com/services/x');
  await user.click(dialog.getByRole('button', { name: 'Untick all' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Apps that crash' }));
  await user.click(dialog.getByRole('switch', { name: 'Quiet hours' }));
  await user.click(dialog.getByRole('button', { name: 'Add channel' }));
  const list = within(await screen.findByRole('list', { name: 'Channels' }));
  await list.findByText('Ops');
  list.getByText('Slack · https://hooks.slack.com/…');
  expect(world.alertChannels).toMatchObject([
    { type: 'slack', kinds: ['app-crashed'], quietHours: { from: '22:00', until: '07:00', urgent: [] } },
  ]);
});

test('a channel that takes nothing says so, and can be changed and deleted', async () => {
  const problem = 'hooks.slack.com refused the message (HTTP 404).';
  const failing = mockAlertChannel({ failingSince: '2026-11-23T12:00:00.000Z', problem });
  const { world, user } = renderPage('/alerts', { alertChannels: [failing] });
  await screen.findByText(problem);
  screen.getByText('Failing');
  await user.click(screen.getByRole('button', { name: 'Edit Ops' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Ops' }));
  await user.click(dialog.getByRole('switch', { name: 'Turned on' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Off');
  await user.click(screen.getByRole('button', { name: 'Delete Ops' }));
  await user.click(await screen.findByRole('button', { name: 'Delete channel' }));
  await waitFor(() => expect(world.alertChannels).toEqual([]));
});

test('mail is chosen by the person, where the server sends any', async () => {
  const { world, user } = renderPage('/alerts');
  await user.click(await screen.findByRole('switch', { name: 'Mail alerts to me' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Preferences saved' }));
  expect(world.alertPreferences).toMatchObject({ mail: true, quietHours: null });
});

test('where the server sends no mail, the page says who can change that', async () => {
  const alertPreferences = {
    mailAvailable: false,
    mail: false,
    kinds: [],
    projectId: null,
    quietHours: null,
  };
  renderPage('/alerts', { alertPreferences });
  await screen.findByText('This server sends no mail');
});
