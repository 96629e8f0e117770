import { PLANS } from '@nephos/contracts/constants';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockBillingWorld, mockSubscription } from '../test/mock-billing.ts';
import {
  idOf,
  mockDatabase,
  mockFile,
  mockProject,
  mockUser,
  mockVirtualAccount,
} from '../test/mock-world.ts';
import { mockApi, renderPage } from '../test/render-page.tsx';

mockApi();

type State = Parameters<typeof renderPage>[1];

const projects = (count: number) =>
  Array.from({ length: count }, (_, nth) => mockProject({ id: idOf(nth), name: `site ${nth}` }));
const on = (planTier: 'professional' | 'enterprise') => ({
  billing: mockBillingWorld({ subscription: mockSubscription({ planTier }) }),
});
const ENDED = { user: mockUser({ trialActive: false, trialEndDate: '2026-11-01T00:00:00.000Z' }) };
const OFF = { billing: mockBillingWorld({ enabled: false }) };
const filled = (bytes: number) => [mockFile({ fileSize: bytes })];
const FULL = PLANS.starter.storage;

async function openDialog(path: string, state: State) {
  const page = renderPage(`${path}?new=1`, state);
  // Not the frame that stands in for it.
  const dialog = await screen.findByRole('dialog', { name: (name) => !name.startsWith('Loading') });
  return { ...page, dialog: within(dialog) };
}

it.each<[path: string, state: State, line: string]>([
  ['/deployments', { projects: projects(3) }, '3 of 5 projects on the Starter plan (trial)'],
  ['/deployments', { projects: projects(3), ...ENDED }, '3 of 5 projects on the Starter plan'],
  ['/deployments', { ...on('professional') }, '0 of 25 projects on the Professional plan'],
  ['/deployments', { ...on('enterprise') }, 'Unlimited projects on the Enterprise plan'],
  ['/databases', { databases: [mockDatabase()] }, '1 of 20 databases'],
  ['/payment-gateway', { virtualAccounts: [mockVirtualAccount()] }, '1 of 20 virtual accounts'],
  ['/storage', { files: filled(FULL / 4) }, '7.50 GB of 10.00 GB storage left on the Starter plan (trial)'],
  [
    '/containers',
    { files: filled(FULL / 2) },
    '5.00 GB of 10.00 GB storage left on the Starter plan (trial)',
  ],
])('the dialog at %s says how much there may be: %#', async (path, state, line) => {
  const { dialog } = await openDialog(path, state);
  expect(await dialog.findByText(line)).toBeDefined();
});

it('a full dialog says what to do, and sends nothing', async () => {
  const { user, dialog } = await openDialog('/deployments', { projects: projects(5) });
  const link = await dialog.findByRole('link', { name: 'upgrade your plan' });
  expect(link.getAttribute('href')).toBe('/billing');
  expect(dialog.getByRole('note').textContent).toBe(
    '5 of 5 projects on the Starter plan (trial). Delete one to create another, or upgrade your plan.',
  );
  await user.type(dialog.getByLabelText(/^Name/), 'sixth{Enter}');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(true);
});

it('without storage left, a file may still take the place of another', async () => {
  const { user, dialog } = await openDialog('/storage', { files: filled(FULL) });
  expect((await dialog.findByRole('note')).textContent).toBe(
    '0 B of 10.00 GB storage left on the Starter plan (trial). Delete files, images or databases, or upgrade your plan.',
  );
  await user.upload(dialog.getByLabelText(/^File/), new File(['x'], 'x.txt'));
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Upload' }).disabled).toBe(false);
});

it('what no plan makes larger leads to none', async () => {
  const databases = Array.from({ length: 20 }, (_, nth) => mockDatabase({ id: idOf(nth) }));
  const { dialog } = await openDialog('/databases', { databases });
  expect((await dialog.findByRole('note')).textContent).toBe(
    '20 of 20 databases. Delete one to create another.',
  );
  expect(dialog.queryByRole('link')).toBeNull();
});

it('a file that does not fit is known before it is sent', async () => {
  const { user, dialog } = await openDialog('/storage', { files: filled(FULL - 1024) });
  await dialog.findByText(/^1\.00 KB of 10\.00 GB storage left/);
  await user.upload(dialog.getByLabelText('File'), new File([new Uint8Array(1025)], 'big.bin'));
  expect((await dialog.findByRole('note')).textContent).toMatch(/Delete files, images or databases/);
});

it.each(['/deployments', '/storage', '/containers'])('without billing, %s says nothing', async (path) => {
  const { dialog, world } = await openDialog(path, OFF);
  await waitFor(() => expect(world.calls.some(({ path }) => path === 'billing.limits')).toBe(true));
  await screen.findAllByRole('button');
  expect(dialog.queryByText(/ left|of \d+|nlimited/)).toBeNull();
});
