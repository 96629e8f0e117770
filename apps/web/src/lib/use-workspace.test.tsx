import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { mockWorkspace } from '../test/mock-workspaces.ts';
import { idOf, mockUser } from '../test/mock-world.ts';
import { mockApi, renderPage } from '../test/render-page.tsx';
import { tabWorkspace, workspaceHeaders } from './tab-workspace.ts';
import { ShowConsole } from './use-workspace.ts';

mockApi();

it('a workspace that is chosen is the one of the tab from then on, and the console is drawn anew for it', async () => {
  const show = vi.fn();
  const acme = mockWorkspace({ id: idOf(901), role: 'viewer' });
  const { user } = renderPage('/storage', { workspaces: [acme] }, (page) => (
    <ShowConsole value={show}>{page}</ShowConsole>
  ));
  await user.click(await screen.findByRole('button', { name: /^Workspace:/ }));
  await user.click(await screen.findByRole('menuitem', { name: /^Acme/ }));
  await waitFor(() => expect(show).toHaveBeenCalledOnce());
  expect(show.mock.calls[0]?.[0].workspace).toMatchObject({ id: acme.id, role: 'viewer' });
  expect(tabWorkspace()).toEqual({ id: acme.id, name: 'Acme', userId: mockUser().id });
  expect(workspaceHeaders()).toEqual({ 'x-workspace': acme.id });
  expect(window.location.pathname).toBe('/storage');
});
