import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockFactors } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const PROOF_REQUIRED = {
  code: 'FORBIDDEN',
  reason: 'PROOF_REQUIRED',
  message: "Confirm that it's you, then try again.",
} as const;

it('says how many recovery codes are left, and makes new ones once that is confirmed', async () => {
  const { user } = renderPage('/account', {
    factors: mockFactors({ totp: true, recoveryCodesLeft: 1 }),
  });
  expect(await screen.findByText('1 recovery code left')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'New recovery codes' }));
  await user.click(await screen.findByRole('button', { name: 'Make new codes' }));
  const made = within(await screen.findByRole('dialog', { name: 'New recovery codes' }));
  expect(made.getByText(/abcd-efgh-jkmn/)).toBeDefined();
});

it('asks for a proof by code first, offers the password, and then does what was asked for', async () => {
  const { user, world } = renderPage('/account', {
    factors: mockFactors({ totp: true, recoveryCodesLeft: 3 }),
    refusals: { 'auth.removeTotp': PROOF_REQUIRED },
  });
  await user.click(await screen.findByRole('button', { name: 'Remove authenticator app' }));
  await user.click(await screen.findByRole('button', { name: 'Remove app' }));
  const proof = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  expect(await proof.findByLabelText(/^Code/)).toBeDefined();
  await user.click(proof.getByRole('button', { name: 'Use your password' }));
  await user.type(await proof.findByLabelText(/^Password/), 'correct horse');
  await user.click(proof.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByRole('button', { name: 'Set up authenticator app' })).toBeDefined();
  expect(world.calls.find(({ path }) => path === 'auth.prove')?.input).toEqual({ password: 'correct horse' });
});

it('leads who has nothing to prove it with to the identity provider', async () => {
  const { user } = renderPage('/account', {
    factors: mockFactors({ passwordSet: false }),
    refusals: { 'auth.beginTotp': PROOF_REQUIRED },
  });
  await user.click(await screen.findByRole('button', { name: 'Set up authenticator app' }));
  const proof = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  expect(await proof.findByText('Log in again to confirm')).toBeDefined();
  await user.click(proof.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog', { name: "Confirm it's you" })).toBeNull();
});

it('says who requires it until it is set up, and what follows when the last one is removed', async () => {
  const { user } = renderPage('/account', {
    factors: mockFactors({ demandedBy: { installation: true, workspaces: ['Acme'] } }),
  });
  expect(await screen.findByText('This server and Acme require two-step login')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Set up authenticator app' }));
  const setUp = within(await screen.findByRole('dialog'));
  await user.type(setUp.getByLabelText(/^Code/), '123456');
  await user.click(setUp.getByRole('button', { name: 'Turn on' }));
  await user.click(await setUp.findByRole('button', { name: /Done|saved/i }));
  await user.click(await screen.findByRole('button', { name: 'Remove authenticator app' }));
  expect(screen.queryByText('This server and Acme require two-step login')).toBeNull();
  expect(
    await screen.findByText(/This server and Acme require two-step login: you are kept out until/),
  ).toBeDefined();
});
