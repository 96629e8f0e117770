import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockDeployment, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const PATH = `/projects/${mockProject().id}`;
const running = mockDeployment({ id: idOf(1) });
const failed = mockDeployment({
  id: idOf(2),
  status: 'failed',
  step: 'build',
  error: 'The build ended with exit code 2.',
  commit: 'beef00d81d0b7e6a5c4f3e2d1c0b9a8f7e6d5c4b',
  commitMessage: 'Break the build',
  releaseKept: false,
});
const live = mockProject({
  latestDeployment: { id: running.id, status: 'running', createdAt: running.createdAt },
  liveDeploymentId: running.id,
});

function row(text: string) {
  const item = screen.getByText(text).closest('li');
  if (!item) throw new Error(`${text} is not in a list`);
  return within(item);
}

describe('a project page', () => {
  it('does not claim that something serves where nothing does', async () => {
    renderPage(PATH, { projects: [mockProject()], deployments: [failed] });
    await screen.findByRole('alert');
    expect(screen.queryByText('The previous version is still serving.')).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stop' }).disabled).toBe(true);
  });

  it('says what the server says when it refuses to deploy', async () => {
    const { user } = renderPage(PATH, {
      projects: [live],
      deployments: [running],
      refusals: {
        'deployments.create': {
          code: 'FORBIDDEN',
          reason: 'RUNTIME_OFF',
          message: 'This server runs no apps.',
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Deploy' }));
    await waitFor(() =>
      expect(shownToast()).toMatchObject({ title: 'Error', description: 'This server runs no apps.' }),
    );
  });

  it('cancels what is under way and rolls back to what was kept', async () => {
    const building = mockDeployment({
      id: idOf(3),
      status: 'building',
      commitMessage: 'New',
      step: 'install',
    });
    const kept = mockDeployment({ id: idOf(0), status: 'stopped', commitMessage: 'Old' });
    const { user, world } = renderPage(PATH, { projects: [live], deployments: [building, running, kept] });
    await screen.findByText('New');
    expect(row('New').getByText('Installing')).toBeDefined();
    await user.click(row('New').getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Cancelled')).toBeDefined();
    await user.click(row('Old').getByRole('button', { name: 'Rollback' }));
    await waitFor(() =>
      expect(world.calls.find(({ path }) => path === 'deployments.rollback')?.input).toEqual({ id: kept.id }),
    );
  });

  it('stops listening in a hidden tab, but not while a deployment is under way', async () => {
    const { world } = renderPage(PATH, { projects: [live], deployments: [running] });
    const stream = await vi.waitUntil(() => FakeEventSource.of('deployments.changes'));
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(FakeEventSource.of('deployments.changes')).toBeUndefined();
    expect(stream.readyState).toBe(FakeEventSource.CLOSED);

    const building = mockDeployment({ id: idOf(3), status: 'building', commitMessage: 'Meanwhile' });
    world.deployments = [building, running];
    visibility.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    const again = await vi.waitUntil(() => FakeEventSource.of('deployments.changes'));
    act(() => again.connect());
    expect(await screen.findByText('Meanwhile')).toBeDefined();
    visibility.mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(again.readyState).toBe(FakeEventSource.OPEN);
  });

  it('shows its outline while it loads, and says so when there is no such project', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const loading = Promise.withResolvers<void>();
    renderPage(PATH, { delays: { 'projects.get': loading.promise } });
    expect(await screen.findByText('Loading project')).toBeDefined();
    loading.resolve();
    expect(await screen.findByText('Not found')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Go to the start page' })).toBeDefined();
  });
});
