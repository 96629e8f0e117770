import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { mockWorkspace } from '../../test/mock-workspaces.ts';
import { mockWorld } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { SignedOutJoin } from './signed-out-join.tsx';

mockApi();
afterEach(cleanup);

const OPEN = mockWorld().invitation;

it.each([
  ['used', 'This invitation was used already'],
  ['ended', 'This invitation has expired'],
  ['revoked', 'This invitation was revoked'],
] as const)('an invitation that is %s lets nobody in, and says so', async (state, title) => {
  renderPage('/join/secret', { invitation: { ...OPEN, state } });
  expect(await screen.findByRole('heading', { name: title })).toBeDefined();
  expect(screen.getByText('Ask grace@example.com for a new one to join Acme.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Join workspace' })).toBeNull();
});

it('one for another address names both', async () => {
  renderPage('/join/secret', { invitation: { ...OPEN, email: 'alan@example.com' } });
  expect(
    await screen.findByText(/It is for alan@example.com, and you are logged in as ada@example.com/),
  ).toBeDefined();
  // From the page itself and from the shell around it.
  const ways = screen.getAllByRole('link', { name: 'Log out' }).map((link) => link.getAttribute('href'));
  expect(new Set(ways)).toEqual(new Set(['/api/logout?returnTo=%2Fjoin%2Fsecret']));
});

it('says why somebody could not join', async () => {
  const { user } = renderPage('/join/secret', {
    refusals: {
      'workspaces.accept': {
        code: 'CONFLICT',
        reason: 'ALREADY_MEMBER',
        message: 'You are a member already.',
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Join workspace' }));
  expect((await screen.findByRole('alert')).textContent).toBe('You are a member already.');
});

it('once joined, a workspace that did not open is opened, and not joined again', async () => {
  const { user, world } = renderPage('/join/secret', {
    workspaces: [mockWorkspace()],
    refusals: {
      'workspaces.enter': { code: 'INTERNAL_SERVER_ERROR', reason: 'UNAVAILABLE', message: 'Not now.' },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Join workspace' }));
  const open = await screen.findByRole('button', { name: 'Open the workspace' });
  world.refusals = {
    'workspaces.accept': { code: 'CONFLICT', reason: 'ALREADY_MEMBER', message: 'A member already.' },
  };
  await user.click(open);
  expect(screen.queryByText('A member already.')).toBeNull();
});

it('signed out, it leads through log in and sign up and back', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(OPEN));
  render(<SignedOutJoin path="/join/secret" />);
  const login = await screen.findByRole('link', { name: 'Log in to join' });
  expect(login.getAttribute('href')).toBe('/api/login?returnTo=%2Fjoin%2Fsecret');
  const signup = screen.getByRole('link', { name: 'Create an account' });
  expect(signup.getAttribute('href')).toBe('/api/login?mode=signup&returnTo=%2Fjoin%2Fsecret&invite=secret');
});
