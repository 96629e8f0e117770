import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockDeployment, mockProject, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { toastStore } from '../../ui/toast.ts';

mockApi();

const QUEUED = { id: idOf(1), status: 'queued' as const, createdAt: '2026-11-20T10:00:00.000Z' };

function card(name: string) {
  const link = screen.getByRole('link', { name });
  const item = link.closest('li');
  if (!item) throw new Error(`${name} is not in a list`);
  return within(item);
}

describe.each(['/', '/deployments'])('the deployments page at %s', (path) => {
  it('offers the first step while there is nothing', async () => {
    const { user } = renderPage(path);
    expect(await screen.findByRole('heading', { name: 'No projects yet' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Deployments' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Create Your First Project' }));
    expect(await screen.findByRole('dialog', { name: 'New Project' })).toBeDefined();
  });

  it('shows three skeleton cards while the projects load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage(path, { delays: { 'projects.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    loading.resolve();
    await screen.findByText('No projects yet');
    expect(screen.queryAllByTestId('skeleton-card')).toHaveLength(0);
  });

  it('opens the dialog of a new project by its address', async () => {
    renderPage(`${path}?new=1`);
    expect(await screen.findByRole('dialog', { name: 'New Project' })).toBeDefined();
  });
});

describe('a project card', () => {
  it('says everything that the specification asks for', async () => {
    renderPage('/deployments', {
      projects: [
        mockProject({ latestDeployment: { ...QUEUED, status: 'running' }, liveDeploymentId: QUEUED.id }),
        mockProject({ id: idOf(2), name: 'Bare', description: '', repositoryUrl: '', branch: 'trunk' }),
      ],
    });
    await screen.findByRole('link', { name: 'Weather station' });
    const full = card('Weather station');
    expect(full.getByText('Readings from the roof')).toBeDefined();
    expect(full.getByText('main')).toBeDefined();
    expect(full.getByText('nodejs')).toBeDefined();
    expect(full.getByText('Active')).toBeDefined();
    expect(full.getByText('Running')).toBeDefined();
    const repository = full.getByRole('link', { name: 'View Repository' });
    expect(repository.getAttribute('href')).toBe('https://git.example.com/ada/weather.git');
    expect(repository.getAttribute('target')).toBe('_blank');
    expect(repository.getAttribute('rel')).toContain('noopener');
    expect(full.getByRole('link', { name: 'weather-station.localhost:3000' }).getAttribute('href')).toBe(
      'http://weather-station.localhost:3000',
    );

    const bare = card('Bare');
    expect(bare.getByText('No description')).toBeDefined();
    expect(bare.getByText('Active')).toBeDefined();
    expect(bare.queryByRole('link', { name: 'View Repository' })).toBeNull();
    expect(bare.queryByRole('link', { name: /localhost/ })).toBeNull();
  });

  it('follows its deployment live', async () => {
    const { world } = renderPage('/deployments', { projects: [mockProject({ latestDeployment: QUEUED })] });
    expect(await screen.findByText('Queued')).toBeDefined();
    const stream = await vi.waitFor(() => {
      const opened = FakeEventSource.of('deployments.changes');
      expect(opened).toBeDefined();
      return opened;
    });
    world.projects = [mockProject({ latestDeployment: { ...QUEUED, status: 'running' } })];
    act(() => {
      stream?.connect();
      stream?.send('1', mockDeployment({ id: QUEUED.id }));
    });
    expect(await screen.findByText('Running')).toBeDefined();
    await waitFor(() => expect(FakeEventSource.of('deployments.changes')).toBeUndefined());
  });
});

describe('creating a project', () => {
  async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage('/deployments', state);
    await page.user.click(await screen.findByRole('button', { name: 'New Project' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Project' }));
    return { ...page, dialog, create: dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' }) };
  }

  it('needs a name, starts from the defaults, says so and shows the new card', async () => {
    const { user, dialog, create, world } = await openDialog();
    expect(create.disabled).toBe(true);
    expect(dialog.getByLabelText<HTMLInputElement>('Branch').value).toBe('main');
    expect(dialog.getByLabelText('Framework').textContent).toBe('Node.js');
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    expect(create.disabled).toBe(false);
    await user.type(dialog.getByLabelText('Repository URL'), 'https://git.example.com/b.git');
    await user.click(create);

    expect(await screen.findByRole('link', { name: 'Barometer' })).toBeDefined();
    expect(shownToast()?.title).toBe('Project created successfully');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(world.calls.find(({ path }) => path === 'projects.create')?.input).toEqual({
      name: 'Barometer',
      description: '',
      repositoryUrl: 'https://git.example.com/b.git',
      branch: 'main',
      framework: 'nodejs',
    });

    await user.click(screen.getByRole('button', { name: 'New Project' }));
    const again = within(await screen.findByRole('dialog', { name: 'New Project' }));
    expect(again.getByLabelText<HTMLInputElement>(/Name/).value).toBe('');
    expect(again.getByLabelText<HTMLInputElement>('Repository URL').value).toBe('');
  });

  it('starts from the defaults again after it was closed', async () => {
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText(/Name/), 'Half a thought');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement?.textContent).toBe('New Project');
    await user.click(screen.getByRole('button', { name: 'New Project' }));
    const again = within(await screen.findByRole('dialog', { name: 'New Project' }));
    expect(again.getByLabelText<HTMLInputElement>(/Name/).value).toBe('');
  });

  it('cannot be sent twice', async () => {
    const answer = Promise.withResolvers<void>();
    const { user, dialog, create } = await openDialog({ delays: { 'projects.create': answer.promise } });
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    await user.click(create);
    await waitFor(() => expect(create.disabled).toBe(true));
    answer.resolve();
    await screen.findByRole('link', { name: 'Barometer' });
  });

  it('says why a framework cannot be chosen', async () => {
    const { user, dialog } = await openDialog();
    expect(
      dialog.getByText('Python is not available: python3 is not installed on this server.'),
    ).toBeDefined();
    await user.click(dialog.getByLabelText('Framework'));
    const python = await screen.findByRole('option', { name: 'Python (not available)' });
    expect(python.getAttribute('aria-disabled')).toBe('true');
  });

  it('fails with the specified toast, and says in the dialog what to do', async () => {
    const { user, dialog, create } = await openDialog({
      refusals: {
        'projects.create': {
          code: 'FORBIDDEN',
          reason: 'PLAN_LIMIT_REACHED',
          message: 'Your plan allows 5 projects.',
        },
      },
    });
    await user.type(dialog.getByLabelText(/Name/), 'Sixth');
    await user.click(create);
    expect((await dialog.findByRole('alert')).textContent).toBe('Your plan allows 5 projects.');
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to create project',
      variant: 'destructive',
    });
    expect(dialog.getByLabelText<HTMLInputElement>(/Name/).value).toBe('Sixth');
  });

  it('shows what is wrong beside the field', async () => {
    const { user, dialog, create } = await openDialog({
      refusals: {
        'projects.create': {
          code: 'BAD_REQUEST',
          reason: 'VALIDATION',
          message: 'Some fields are not valid.',
          fields: [{ path: 'branch', message: 'Git does not accept this branch name.' }],
        },
      },
    });
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    await user.click(create);
    expect((await dialog.findByRole('alert')).textContent).toBe('Git does not accept this branch name.');
    expect(dialog.getByLabelText('Branch').getAttribute('aria-invalid')).toBe('true');
  });

  it('goes to the login page half a second after the session is found to be over', async () => {
    const { user, dialog, create } = await openDialog({ refusals: { 'projects.create': UNAUTHORIZED } });
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const at = { toast: 0, left: 0 };
    const unsubscribe = toastStore.subscribe(() => {
      at.toast = Date.now();
    });
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {
      at.left = Date.now();
    });
    create.click();
    await vi.waitFor(() => expect(assign).toHaveBeenCalled());
    unsubscribe();
    expect(shownToast()).toEqual({
      title: 'Unauthorized',
      description: 'You are logged out. Logging in again...',
      variant: 'destructive',
    });
    expect(at.left - at.toast).toBe(500);
    expect(assign).toHaveBeenCalledWith('/api/login?returnTo=%2Fdeployments%3Fnew%3D1');
  });
});

describe('a list that cannot be loaded', () => {
  it('leads to the login page when the session is over', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    renderPage('/deployments', { refusals: { 'projects.list': UNAUTHORIZED } });
    expect(await left.promise).toBe('/api/login?returnTo=%2Fdeployments');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized', variant: 'destructive' });
  });

  it('says what happened and can be tried again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, world } = renderPage('/deployments', {
      refusals: {
        'projects.list': {
          code: 'INTERNAL_SERVER_ERROR',
          reason: 'UNAVAILABLE',
          message: 'Service temporarily unavailable',
        },
      },
    });
    expect(await screen.findByText('Service temporarily unavailable')).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No projects yet')).toBeDefined();
  });
});
