import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockVariable, mockVariableGroup } from '../../test/mock-variable-groups.ts';
import { BROKEN, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const project = mockProject();
const linked = { id: project.id, name: project.name };
const variables = (...names: string[]) => names.map((name) => mockVariable({ name }));

it('shows who gets a variable and what it refers to, and changes who does', async () => {
  const { user, world } = renderPage(`/projects/${project.id}/environment`, {
    projects: [project],
    variables: [
      mockVariable({
        name: 'DATABASE_URL',
        scope: 'run',
        references: ['databases.shop.url'],
        reference: 'databases.shop.url',
      }),
    ],
  });
  const link = await screen.findByRole('link', { name: 'databases.shop.url' });
  expect(link.getAttribute('href')).toBe('/databases?q=shop');
  // A value that is replaced stays available to the same.
  const fresh = screen.getByRole('combobox', { name: 'Available to' });
  expect(fresh.textContent).toBe('Build and run');
  await user.type(screen.getByLabelText(/^Name/), 'DATABASE_URL');
  expect(fresh.textContent).toBe('Run only');
  const scope = screen.getByRole('combobox', { name: 'DATABASE_URL is available to' });
  expect(scope.textContent).toBe('Run only');
  await user.click(scope);
  await user.click(await screen.findByRole('option', { name: 'Build only' }));
  await waitFor(() =>
    expect(world.calls.filter(({ path }) => path === 'projects.scopeVariable')).toMatchObject([
      { input: { name: 'DATABASE_URL', scope: 'build' } },
    ]),
  );
});

it('lists linked groups, the strongest first, with what is overridden, and links and unlinks', async () => {
  const { user, world } = renderPage(`/projects/${project.id}/environment`, {
    projects: [project],
    variables: variables('OWN'),
    variableGroups: [
      mockVariableGroup({ name: 'First', variables: variables('HOST', 'KEY'), projects: [linked] }),
      mockVariableGroup({ name: 'Second', variables: variables('HOST', 'OWN'), projects: [linked] }),
      mockVariableGroup({ name: 'Third' }),
    ],
  });
  const list = await screen.findByRole('list', { name: 'Linked groups' });
  const texts = () =>
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(texts()).toEqual(['SecondHOSTOWN overridden', 'FirstHOST overriddenKEY']);
  expect(screen.getByText('Overrides Second')).toBeDefined();
  await user.click(await screen.findByRole('combobox', { name: 'Link a group' }));
  await user.click(await screen.findByRole('option', { name: 'Third (1 variable)' }));
  await waitFor(() => expect(texts()).toHaveLength(3));
  await user.click(screen.getByRole('button', { name: 'Unlink First' }));
  await waitFor(() => expect(texts()).toHaveLength(2));
  expect(world.calls.filter(({ path }) => /link$/.test(path))).toHaveLength(2);
});

it('makes a group and opens it, where it says which projects a change is for', async () => {
  const { user, world, router } = renderPage('/variable-groups', {});
  await screen.findByText('No variable groups yet');
  await user.click(screen.getByRole('button', { name: 'Create Your First Group' }));
  await user.type(await screen.findByLabelText(/^Name/), 'Mail{Enter}');
  await screen.findByRole('heading', { name: 'Mail' });
  expect(screen.getByText('No project uses this group yet')).toBeDefined();
  expect(world.variableGroups).toHaveLength(1);
  expect(router.state.location.pathname).toMatch(/^\/variable-groups\//);
});

it('saves, renames and deletes by the calls of groups, and says what failed', async () => {
  const group = mockVariableGroup({ name: 'Mail', projects: [linked] });
  const { user, world } = renderPage(`/variable-groups/${group.id}`, { variableGroups: [group] });
  await screen.findByText('Changes take effect on the next restart or deployment of 1 project');
  await user.type(screen.getByLabelText(/^Name/), 'KEY');
  await user.type(screen.getByLabelText('Value'), 'x');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(world.calls.filter(({ path }) => path === 'variableGroups.setVariables')).toMatchObject([
      { input: { id: group.id, variables: [{ name: 'KEY', value: 'x' }] } },
    ]),
  );
  world.refusals = { 'variableGroups.remove': BROKEN };
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.type(await screen.findByRole('textbox', { name: /Mail/ }), 'Mail{Enter}');
  await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Error', description: BROKEN.message }));
});
