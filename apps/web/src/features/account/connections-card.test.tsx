import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { idOf, mockFactors } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const PROVIDERS = [
  { id: 'default', name: 'Test ID', path: '/api/login/oidc' },
  { id: 'work', name: 'Work ID', path: '/api/login/oidc/work' },
];
const CONNECTION = {
  id: idOf(700),
  providerId: 'work',
  name: 'Work ID',
  email: 'ada@work.example',
  connectedAt: '2026-01-01T00:00:00.000Z',
};

it('shows what is connected, disconnects it, and leads to what is not', async () => {
  const connections = { connections: [CONNECTION], providers: PROVIDERS };
  const { user } = renderPage('/account', { connections });
  const list = await screen.findByRole('list', { name: 'Connected accounts' });
  expect(within(list).getByText(/ada@work\.example/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Connect Work ID' })).toBeNull();

  const left = Promise.withResolvers<string | URL>();
  vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
  await user.click(screen.getByRole('button', { name: 'Connect Test ID' }));
  expect(await left.promise).toBe('/api/login/oidc/default?connect=mock');

  await user.click(screen.getByRole('button', { name: 'Disconnect Work ID' }));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Disconnect' }),
  );
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Connected accounts' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Connect Work ID' })).toBeDefined();
});

it('confirms by any of the providers where an account has nothing else', async () => {
  const { user } = renderPage('/account', {
    connections: { connections: [CONNECTION], providers: PROVIDERS },
    factors: mockFactors({ passwordSet: false }),
    refusals: {
      'auth.beginTotp': { code: 'FORBIDDEN', reason: 'PROOF_REQUIRED', message: 'Confirm it is you.' },
    },
  });
  const left = Promise.withResolvers<string | URL>();
  vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
  await user.click(await screen.findByRole('button', { name: /Set up authenticator app/i }));
  await user.click(await screen.findByRole('button', { name: 'Log in again with Work ID' }));
  expect(await left.promise).toBe('/api/login/oidc/work?again=1&returnTo=%2Faccount');
});
