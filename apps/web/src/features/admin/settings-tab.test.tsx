import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { adminWorld } from './admin-fixtures.ts';

mockApi();

const changesOf = ({ world }: { world: { calls: { path: string; input: unknown }[] } }) =>
  world.calls.filter(({ path }) => path === 'admin.changeSettings').map(({ input }) => input);

test('settings are changed where the environment leaves them open', async () => {
  const page = renderPage('/admin?tab=settings', adminWorld());
  await page.user.click(await screen.findByRole('combobox', { name: 'Sign-ups' }));
  await page.user.click(await screen.findByRole('option', { name: 'Only people with an invitation' }));
  await waitFor(() => expect(shownToast()?.title).toBe('Settings saved'));
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Sign-ups' }).textContent).toMatch(/invitation/),
  );
  await page.user.clear(screen.getByLabelText('Public address'));
  await page.user.type(screen.getByLabelText('Public address'), 'https://console.example.com');
  const [save] = screen.getAllByRole('button', { name: 'Save' });
  if (save) await page.user.click(save);
  await screen.findByText('Restart the server to use https://console.example.com');
  const billing = screen.getByRole<HTMLButtonElement>('combobox', { name: 'Billing' });
  expect(billing.disabled).toBe(true);
  expect(screen.getByText("Set as BILLING in the server's environment.")).toBeDefined();
  await page.user.type(screen.getByLabelText('Mail server'), 'smtp://smtp.example.com');
  await page.user.click(screen.getAllByRole('button', { name: 'Save' }).at(-1) ?? document.body);
  await screen.findByText(/^Sent by smtp.example.com/);
  expect(screen.getByRole('button', { name: 'Send a test mail' })).toBeDefined();
  await page.user.click(screen.getByRole('button', { name: 'Turn mail off' }));
  await screen.findByText(/^Off\. Links/);
  expect(changesOf(page)).toEqual([
    { signups: 'invite' },
    { publicUrl: 'https://console.example.com' },
    { mail: { smtpUrl: 'smtp://smtp.example.com', from: '' } },
    { mail: null },
  ]);
});

test('two-step login is required of everyone by a switch', async () => {
  const none = { code: 'CONFLICT', reason: 'NO_SECOND_FACTOR', message: 'Set it up first.' } as const;
  const page = renderPage('/admin?tab=settings', {
    ...adminWorld(),
    refusals: { 'admin.demandSecondFactor': none },
  });
  const demand = await screen.findByRole('switch', { name: 'Require two-step login' });
  await page.user.click(demand);
  expect((await screen.findByRole('alert')).textContent).toBe('Set it up first.');
  page.world.refusals = {};
  await page.user.click(demand);
  await waitFor(() => expect(demand.getAttribute('aria-checked')).toBe('true'));
});
