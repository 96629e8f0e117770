import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { mockAlertChannel, mockDelivery } from '../../test/mock-alerts.ts';
import { mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

test('a channel is added with its kinds and quiet hours', async () => {
  const project = mockProject({ name: 'Shop' });
  const { world, user } = renderPage('/alerts', { projects: [project] });
  await screen.findByText(/No channels yet/);
  await user.click(screen.getByRole('button', { name: 'Add channel' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add channel' }));
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Ops');
  await user.type(dialog.getByRole('textbox', { name: 'Address' }), 'https://hooks.slack.com/services/x');
  await user.click(await dialog.findByRole('combobox', { name: 'Alerts of' }));
  await user.click(await screen.findByRole('option', { name: 'Shop' }));
  await user.click(dialog.getByRole('button', { name: 'Untick all' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Apps that crash' }));
  await user.click(dialog.getByRole('switch', { name: 'Quiet hours' }));
  await user.click(dialog.getByRole('button', { name: 'Add channel' }));
  const list = within(await screen.findByRole('list', { name: 'Channels' }));
  await list.findByText('Ops');
  list.getByText('Slack · https://hooks.slack.com/…');
  expect(world.alertChannels).toMatchObject([
    {
      type: 'slack',
      projectId: project.id,
      kinds: ['app-crashed'],
      quietHours: { from: '22:00', until: '07:00', urgent: [] },
    },
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

const refusal = { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', message: 'It broke.' } as const;

test('channels that could not be loaded can be tried again', async () => {
  const refusals = { 'alertChannels.list': refusal };
  const { world, user } = renderPage('/alerts', { refusals, alertChannels: [mockAlertChannel()] });
  const notice = (await screen.findByText('It broke.')).closest('[role]');
  world.refusals = {};
  await user.click(within(notice as HTMLElement).getByRole('button', { name: 'Try again' }));
  await screen.findByRole('list', { name: 'Channels' });
});

test('deliveries are on their way, could not be loaded, or are none', async () => {
  let arrive = () => {};
  const delays = { 'alertChannels.deliveries': new Promise<void>((resolve) => (arrive = resolve)) };
  const refusals = { 'alertChannels.deliveries': refusal };
  const { world, user } = renderPage('/alerts', { alertChannels: [mockAlertChannel()], delays, refusals });
  await user.click(await screen.findByRole('button', { name: 'Deliveries to Ops' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deliveries to Ops' }));
  dialog.getByTestId('skeleton');
  arrive();
  await dialog.findByText('It broke.');
  world.refusals = {};
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  await dialog.findByText(/Nothing was sent yet/);
});

test('a delivery says what became of it, and is sent again where it is over', async () => {
  const channel = mockAlertChannel();
  const failed = mockDelivery({ channelId: channel.id });
  const held = mockDelivery({
    channelId: channel.id,
    title: 'Held',
    state: 'held',
    status: null,
    tries: 0,
    problem: '',
    answer: '',
  });
  const state = { alertChannels: [channel], alertDeliveries: [failed, held] };
  const { world, user } = renderPage('/alerts', state);
  await user.click(await screen.findByRole('button', { name: 'Deliveries to Ops' }));
  const list = within(await screen.findByRole('list', { name: 'Deliveries' }));
  list.getByText(/HTTP 500 · 12 tries/);
  list.getByText('It does not take messages now.');
  list.getByText('Quiet hours');
  expect(list.queryByRole('button', { name: 'Send again: Held' })).toBeNull();
  world.refusals = { 'alertChannels.repeat': refusal };
  await user.click(list.getByRole('button', { name: `Send again: ${failed.title}` }));
  await waitFor(() => expect(shownToast()).toMatchObject({ description: 'It broke.' }));
  world.refusals = {};
  await user.click(list.getByRole('button', { name: `Send again: ${failed.title}` }));
  await list.findByText('Delivered');
});

test('a secret is shown once it was made, and not where that failed', async () => {
  const refusals = { 'alertChannels.renewSecret': refusal };
  const hook = mockAlertChannel({ type: 'webhook' });
  const { world, user } = renderPage('/alerts', { alertChannels: [hook], refusals });
  const ask = async () => {
    await user.click(await screen.findByRole('button', { name: 'New secret of Ops' }));
    await user.click(await screen.findByRole('button', { name: 'Create secret' }));
  };
  await ask();
  await waitFor(() => expect(shownToast()).toMatchObject({ description: 'It broke.' }));
  expect(screen.queryByText('shown once')).toBeNull();
  world.refusals = {};
  await user.click(await screen.findByRole('button', { name: 'Create secret' }));
  await screen.findByText('shown once');
});
