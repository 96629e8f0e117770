import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { idOf, mockUser } from '../test/mock-world.ts';
import { mockApi, renderPage } from '../test/render-page.tsx';

mockApi();

const inAcme = (role: 'developer' | 'viewer') =>
  mockUser({ workspace: { id: idOf(901), name: 'Acme', personal: false, role } });

it('a role that was taken meanwhile is known by the first refusal: what it held is offered no more', async () => {
  const { user, world } = renderPage('/variable-groups', { user: inAcme('developer') });
  const create = (await screen.findAllByRole('button', { name: /group/i }))[0];
  expect(create?.getAttribute('aria-disabled')).toBeNull();
  world.user = inAcme('viewer');
  const message = 'You need the role Developer in this workspace to do this. You have Viewer.';
  world.refusals = { 'variableGroups.create': { code: 'FORBIDDEN', reason: 'FORBIDDEN', message } };
  if (create) await user.click(create);
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Name'), 'Ours');
  await user.click(dialog.getByRole('button', { name: /Create/ }));
  expect(await dialog.findByText(message)).toBeDefined();
  await waitFor(() => expect(create?.getAttribute('aria-description')).toBe(message));
});
