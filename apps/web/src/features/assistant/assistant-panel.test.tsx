import { cleanup, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { mockAssistantWorld } from '../../test/mock-assistant.ts';
import { mockDatabase, mockProject, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { ask, callsOf, field, openPanel, panel } from './panel-fixtures.ts';

mockApi();

describe('opening', () => {
  it('makes a session of the scope, once, and takes and gives back the focus', async () => {
    const { world, user } = await openPanel('/containers', {}, 'AI Assistant');
    expect(callsOf(world, 'assistant.createSession')[0]?.input).toEqual({
      resourceScope: 'container',
      resourceId: null,
    });
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Database',
      'Container',
      'Kubernetes',
      'General',
    ]);
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Container');
    expect(document.activeElement).toBe(field());

    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary', { name: 'AI Assistant' })).toBeNull();
    expect(document.activeElement?.textContent).toBe('AI Assistant');
    await user.click(screen.getByRole('button', { name: 'AI Assistant' }));
    await panel();
    expect(callsOf(world, 'assistant.createSession')).toHaveLength(1);
  });

  it('comes back from the header as one left it', async () => {
    const { user } = await openPanel();
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('General');
    await user.click(screen.getByRole('tab', { name: 'Kubernetes' }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Ask the assistant' }));
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Kubernetes');
  });

  it('is about the database or the project of the page', async () => {
    const database = mockDatabase();
    const { world, user } = await openPanel(
      `/databases/${database.id}`,
      { databases: [database] },
      'AI Assistant',
    );
    expect(callsOf(world, 'assistant.createSession')[0]?.input).toEqual({
      resourceScope: 'database',
      resourceId: database.id,
    });
    expect((await panel()).textContent).toContain('About orders');
    await user.click(screen.getByRole('button', { name: 'Ask about everything' }));
    await ask(user);
    expect(callsOf(world, 'assistant.send')[0]?.input).toMatchObject({ resourceId: null });

    cleanup();
    sessionStorage.clear();
    const project = mockProject();
    const page = await openPanel(`/projects/${project.id}`, { projects: [project] });
    expect(callsOf(page.world, 'assistant.createSession')[0]?.input).toEqual({
      resourceScope: 'general',
      resourceId: project.id,
    });
    await page.user.click(screen.getByRole('tab', { name: 'Database' }));
    await ask(page.user);
    expect(callsOf(page.world, 'assistant.send')[0]?.input).toMatchObject({
      resourceScope: 'database',
      resourceId: null,
    });
  });

  it('is offered by the palette', async () => {
    const { user } = renderPage('/dns');
    await screen.findByRole('button', { name: 'Ask the assistant' });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByPlaceholderText(/^Type a page/), 'Ask the ass{Enter}');
    await panel();
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it('says why no session could be made, and tries again', async () => {
    const message = 'The assistant is not available.';
    const refusal = { code: 'SERVICE_UNAVAILABLE', reason: 'UNAVAILABLE', message } as const;
    const { world, user } = renderPage('/dns', { refusals: { 'assistant.createSession': refusal } });
    await user.click(await screen.findByRole('button', { name: 'Ask the assistant' }));
    await screen.findByText(message);
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
    expect(callsOf(world, 'assistant.createSession')).toHaveLength(1);
  });

  it('goes to the login page when the session is over', async () => {
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    const { user } = renderPage('/dns', { refusals: { 'assistant.createSession': UNAUTHORIZED } });
    await user.click(await screen.findByRole('button', { name: 'Ask the assistant' }));
    expect(await left.promise).toBe('/api/login?returnTo=%2Fdns');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized' });
  });

  it('says who answers', async () => {
    await openPanel();
    expect((await screen.findByText('Local responder')).parentElement?.textContent).toContain(
      'Set OPENAI_API_KEY to use a model.',
    );
    cleanup();
    sessionStorage.clear();
    const model = { local: false, name: 'gpt-5' };
    await openPanel('/dns', { assistant: { ...mockAssistantWorld(), model } });
    expect((await screen.findByText('gpt-5')).parentElement?.textContent).not.toContain('OPENAI_API_KEY');
  });
});
