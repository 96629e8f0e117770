import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { adminWorld } from './admin-fixtures.ts';

mockApi();

test('each first step is decided or skipped, and then it is over', async () => {
  const { user, world, router } = renderPage('/welcome', adminWorld());
  const skip = () => user.click(screen.getByRole('button', { name: 'Skip' }));
  await screen.findByLabelText('Public address');
  await skip();
  await user.click(await screen.findByRole('combobox', { name: 'Sign-ups' }));
  await user.click(await screen.findByRole('option', { name: 'Nobody' }));
  // What was decided is no longer skipped.
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await screen.findByRole('combobox', { name: 'Billing' });
  await skip();
  await screen.findByLabelText('Mail server');
  expect(world.admin.settings).toMatchObject({ signups: 'closed', setUp: false });
  await skip();
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(world.admin.settings.setUp).toBe(true);
});

test('all of it can be skipped at once', async () => {
  const { user, world } = renderPage('/welcome', adminWorld());
  await user.click(await screen.findByRole('button', { name: 'Skip all' }));
  await waitFor(() => expect(world.admin.settings.setUp).toBe(true));
});

test('others than admins are told that it is not theirs', async () => {
  renderPage('/welcome');
  await screen.findByText('Admins only');
});
