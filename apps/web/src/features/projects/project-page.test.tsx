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
  it('shows name, state, address and actions of a running app', async () => {
    renderPage(PATH, { projects: [live], deployments: [running] });
    expect(await screen.findByRole('heading', { level: 1, name: 'Weather station' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'weather-station.localhost:3000' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Copy URL' })).toBeDefined();
    for (const name of ['Deploy', 'Stop', 'Delete']) {
      expect(screen.getByRole('button', { name })).toBeDefined();
    }
    const only = row('Read the barometer');
    expect(only.getByText('4f2a9c8')).toBeDefined();
    expect(only.getByText('Live')).toBeDefined();
    expect(only.getByText(/42s/)).toBeDefined();
    expect(only.queryByRole('button', { name: 'Rollback' })).toBeNull();
  });

  it('says which step of a failed deployment failed, why, and that the version before still serves', async () => {
    renderPage(PATH, { projects: [live], deployments: [failed, running] });
    const notice = within(await screen.findByRole('alert'));
    expect(notice.getByText('The deployment failed while building')).toBeDefined();
    expect(notice.getByText('The build ended with exit code 2.')).toBeDefined();
    expect(notice.getByText('The previous version is still serving.')).toBeDefined();
    expect(notice.getByRole('link', { name: 'View log' }).getAttribute('href')).toBe(
      `${PATH}/log?deployment=${failed.id}`,
    );
  });

  it('does not claim that something serves where nothing does', async () => {
    renderPage(PATH, { projects: [mockProject()], deployments: [failed] });
    await screen.findByRole('alert');
    expect(screen.queryByText('The previous version is still serving.')).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stop' }).disabled).toBe(true);
  });

  it('sends a project without a repository to its settings', async () => {
    renderPage(PATH, { projects: [mockProject({ repositoryUrl: '' })] });
    expect((await screen.findByRole('link', { name: 'Open Settings' })).getAttribute('href')).toBe(
      `${PATH}/settings`,
    );
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Deploy' }).disabled).toBe(true);
  });

  it('deploys, and shows the queued deployment', async () => {
    const { user, world } = renderPage(PATH, { projects: [live], deployments: [running] });
    await user.click(await screen.findByRole('button', { name: 'Deploy' }));
    expect(await screen.findByText('Queued')).toBeDefined();
    expect(world.calls.find(({ path }) => path === 'deployments.create')?.input).toEqual({ id: live.id });
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

  it('shows changes as they come, without asking', async () => {
    const queued = mockDeployment({ id: idOf(3), status: 'queued', commitMessage: 'New' });
    const { world } = renderPage(PATH, { projects: [live], deployments: [queued, running] });
    await screen.findByText('Queued');
    const stream = await vi.waitUntil(() => FakeEventSource.of('deployments.changes'));
    const moved = { ...queued, status: 'building' as const, step: 'build' as const };
    world.deployments = [moved, running];
    act(() => stream.send('1', moved));
    await waitFor(() => expect(row('New').getAllByText('Building').length).toBeGreaterThan(0));
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

  it('is deleted only after its name was typed', async () => {
    const { user, world } = renderPage(PATH, { projects: [live], deployments: [running] });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Project?' }));
    const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete project' });
    expect(confirm.disabled).toBe(true);
    await user.type(dialog.getByRole('textbox'), 'Weather station');
    await user.click(confirm);
    expect(await screen.findByText('No projects yet')).toBeDefined();
    expect(world.projects).toEqual([]);
    expect(shownToast()?.title).toBe('Project deleted');
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

describe('the settings of a project', () => {
  it('are saved as changed, with the faults beside the fields', async () => {
    const { user, world } = renderPage(`${PATH}/settings`, { projects: [live], deployments: [running] });
    const health = await screen.findByLabelText('Health path');
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save.disabled).toBe(true);
    world.refusals = {
      'projects.update': {
        code: 'BAD_REQUEST',
        reason: 'VALIDATION',
        message: 'Some fields are not valid.',
        fields: [{ path: 'healthPath', message: 'A health path starts with one / and has no query.' }],
      },
    };
    await user.type(health, 'up');
    await user.click(save);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'A health path starts with one / and has no query.',
    );

    world.refusals = {};
    await user.clear(health);
    await user.type(health, '/up');
    await user.click(save);
    await waitFor(() => expect(shownToast()?.title).toBe('Project saved'));
    expect(world.projects[0]?.healthPath).toBe('/up');
    await waitFor(() => expect(save.disabled).toBe(true));
  });
});

describe('the environment of a project', () => {
  it('takes variables and never shows a value again', async () => {
    const { user, world } = renderPage(`${PATH}/environment`, { projects: [live], deployments: [running] });
    expect(await screen.findByText('No environment variables yet')).toBeDefined();
    await user.type(screen.getByLabelText(/Name/), 'API_KEY');
    await user.type(screen.getByLabelText('Value'), 'hunter2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const table = within(await screen.findByRole('table', { name: 'Environment variables' }));
    expect(table.getByText('API_KEY')).toBeDefined();
    expect(shownToast()?.title).toBe('Saved. Values are never shown again.');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Value').value).toBe('');
    expect(document.body.innerHTML).not.toContain('hunter2');
    expect(world.calls.find(({ path }) => path === 'projects.setVariable')?.input).toMatchObject({
      name: 'API_KEY',
      value: 'hunter2',
    });
  });

  it('offers to deploy, since a change waits for the next deployment, and deletes by name', async () => {
    const { user } = renderPage(`${PATH}/environment`, {
      projects: [live],
      deployments: [running],
      variables: [{ name: 'API_KEY', updatedAt: '2026-11-20T10:00:00.000Z' }],
    });
    expect(await screen.findByText('A change takes effect at the next deployment')).toBeDefined();
    expect(screen.getAllByRole('button', { name: 'Deploy' })).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Delete API_KEY' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.type(dialog.getByRole('textbox'), 'API_KEY');
    await user.click(dialog.getByRole('button', { name: 'Delete variable' }));
    expect(await screen.findByText('No environment variables yet')).toBeDefined();
  });
});
