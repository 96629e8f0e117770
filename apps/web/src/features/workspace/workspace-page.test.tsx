import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockMember, mockWorkspace } from '../../test/mock-workspaces.ts';
import { idOf, mockToken, mockUser } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const ACME = { id: idOf(901), name: 'Acme', personal: false };
const ADA = mockMember({ userId: mockUser().id, email: 'ada@example.com', firstName: 'Ada', role: 'owner' });
const GRACE = mockMember();

const asRole = (role: 'owner' | 'admin' | 'viewer') => ({
  user: mockUser({ workspace: { ...ACME, role } }),
  workspaces: [mockWorkspace(ACME)],
  members: [GRACE, { ...ADA, role }],
});

it('lets an owner rename, change roles, remove and invite', async () => {
  const { user, world } = renderPage('/workspace', asRole('owner'));
  const members = within(await screen.findByRole('list', { name: 'Members' }));
  await user.click(members.getByRole('combobox', { name: 'Role of Grace Hopper' }));
  await user.click(await screen.findByRole('option', { name: 'Owner' }));
  await waitFor(() => expect(world.members[0]?.role).toBe('owner'));
  expect(members.queryByRole('combobox', { name: /Ada/ })).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Invite' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite to Acme' }));
  await user.type(dialog.getByLabelText('Email (optional)'), 'alan@example.com');
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  expect(await dialog.findByText('https://console.example.com/join/secret')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await screen.findByText('alan@example.com')).toBeDefined();

  await user.click(members.getByRole('button', { name: 'Remove Grace Hopper' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(members.queryByText('Grace Hopper')).toBeNull());
});

it('makes service accounts, shows their tokens once, and ends one by itself', async () => {
  const project = { kind: 'project', id: idOf(1), name: 'Analytical' } as const;
  const printer = mockToken({ id: idOf(602), name: 'printer', resource: project });
  const { user, world } = renderPage('/workspace', { ...asRole('admin'), tokens: [mockToken(), printer] });
  await user.click(await screen.findByRole('button', { name: 'Service account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New service account' }));
  await user.type(dialog.getByLabelText('Name'), 'ci');
  await user.click(dialog.getByRole('button', { name: 'Create service account' }));
  await user.click(await screen.findByRole('button', { name: 'Access tokens of ci' }));
  const list = within(await screen.findByRole('dialog', { name: 'Access tokens of ci' }));
  await user.click(await list.findByRole('button', { name: 'Revoke laptop' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.type(question.getByLabelText('Type laptop to confirm'), 'laptop');
  await user.click(question.getByRole('button', { name: 'Revoke token' }));
  await waitFor(() => expect(world.tokens.map(({ name }) => name)).toEqual(['printer']));
  expect(await list.findByText('Only Analytical')).toBeDefined();
  await user.click(list.getByRole('button', { name: 'New token' }));
  const token = within(await screen.findByRole('dialog', { name: 'New access token for ci' }));
  await user.type(token.getByLabelText('Name'), 'deploys');
  await user.click(token.getByRole('button', { name: 'Create token' }));
  expect(await token.findByText('nph_service-token')).toBeDefined();
});

it('offers a viewer nothing but to look and to leave', async () => {
  renderPage('/workspace', asRole('viewer'));
  await screen.findByRole('list', { name: 'Members' });
  expect(screen.getByLabelText<HTMLInputElement>('Workspace name').disabled).toBe(true);
  expect(
    screen.getByText(/You need the role Owner in this workspace to do this. You have Viewer./),
  ).toBeDefined();
  const buttons = within(screen.getByRole('main')).getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Leave workspace']);
});

it('says what goes along with a workspace, or what is in the way', async () => {
  const contents = {
    ...{ projects: 2, databases: 1, files: 0, zones: 0, repositories: 0, mobileApps: 0, installations: 0 },
    ...{ variableGroups: 0, virtualAccounts: 0, members: 2, obstacle: '' },
  };
  const { user, world } = renderPage('/workspace', { ...asRole('owner'), workspaceContents: contents });
  await user.click(await screen.findByRole('button', { name: 'Delete workspace' }));
  const list = within(await screen.findByRole('list', { name: 'What is deleted' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '2 projects',
    '1 database',
    '2 memberships',
  ]);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  world.workspaceContents = { ...contents, obstacle: 'Send the balance of Main away first.' };
  await user.click(screen.getByRole('button', { name: 'Delete workspace' }));
  expect(await screen.findByText('Send the balance of Main away first.')).toBeDefined();
});

it('says why members could not be loaded, and why a role was not changed', async () => {
  const refusal = { code: 'CONFLICT', reason: 'LAST_OWNER', message: 'A workspace needs an owner.' } as const;
  const { user } = renderPage('/workspace', {
    ...asRole('owner'),
    refusals: { 'workspaces.changeMember': refusal, 'workspaces.invitations': refusal },
  });
  expect(await screen.findByText('A workspace needs an owner.')).toBeDefined();
  await user.click(await screen.findByRole('combobox', { name: 'Role of Grace Hopper' }));
  await user.click(await screen.findByRole('option', { name: 'Viewer' }));
  await waitFor(() => expect(shownToast()?.description).toBe('A workspace needs an owner.'));
});

it('lets an admin of the installation set the limits of a workspace', async () => {
  const state = asRole('viewer');
  renderPage('/workspace', { ...state, user: { ...state.user, role: 'admin' } });
  expect(await screen.findByRole('button', { name: 'Save limits' })).toBeDefined();
});

it('says that members to hand over to could not be loaded, and hands over once they are', async () => {
  const refusal = { code: 'CONFLICT', reason: 'LAST_OWNER', message: 'Not at the moment.' } as const;
  const { user, world } = renderPage('/workspace', {
    ...asRole('owner'),
    refusals: { 'workspaces.members': refusal },
  });
  await user.click(await screen.findByRole('button', { name: 'Hand over' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Hand over Acme' }));
  expect(await dialog.findByText('Not at the moment.')).toBeDefined();
  expect(dialog.queryByText('There is nobody to hand it over to')).toBeNull();
  world.refusals = {};
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  await user.click(await dialog.findByRole('combobox', { name: /New owner/ }));
  await user.click(await screen.findByRole('option', { name: 'Grace Hopper' }));
  await user.click(dialog.getByRole('button', { name: 'Hand over' }));
  await waitFor(() => expect(world.members.find(({ userId }) => userId === ADA.userId)?.role).toBe('admin'));
});

it('lets an owner require two-step login of the members, and says how many would be kept out', async () => {
  const { user, world } = renderPage('/workspace', asRole('owner'));
  const demand = await screen.findByRole('switch', { name: 'Require two-step login' });
  expect(screen.getByText(/^1 person doesn't have it\./)).toBeDefined();
  await user.click(demand);
  await waitFor(() => expect(shownToast()?.title).toBe('Two-step login saved'));
  expect(world.factorDemand.demanded).toBe(true);
  await waitFor(() => expect(demand.getAttribute('aria-checked')).toBe('true'));
});
