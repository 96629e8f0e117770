import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockDeployment, mockProject, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const QUEUED = { id: idOf(1), status: 'queued' as const, createdAt: '2026-11-20T10:00:00.000Z' };

function card(name: string) {
  const link = screen.getByRole('link', { name });
  const item = link.closest('li');
  if (!item) throw new Error(`${name} is not in a list`);
  return within(item);
}

describe.each(['/', '/deployments'])('the deployments page at %s', (path) => {
  it('shows three skeleton cards while the projects load', async () => {
    const loading = Promise.withResolvers<void>();
    renderPage(path, { delays: { 'projects.list': loading.promise } });
    expect(await screen.findAllByTestId('skeleton-card')).toHaveLength(3);
    loading.resolve();
    await screen.findByText('No projects yet');
    expect(screen.queryAllByTestId('skeleton-card')).toHaveLength(0);
  });
});

it('tells how many projects there are, though more are to be fetched', async () => {
  const projects = Array.from({ length: 60 }, (_, n) => mockProject({ id: idOf(n), name: `app-${n}` }));
  renderPage('/deployments', { projects });
  expect(await screen.findByText('60 projects')).toBeDefined();
});

describe('a project card', () => {
  it('says everything there is to say of it', async () => {
    renderPage('/deployments', {
      projects: [
        mockProject({ latestDeployment: { ...QUEUED, status: 'running' }, liveDeploymentId: QUEUED.id }),
        mockProject({ id: idOf(2), name: 'Bare', description: '', repositoryUrl: '', branch: 'trunk' }),
        mockProject({
          id: idOf(3),
          name: 'Flaky',
          latestDeployment: { ...QUEUED, id: idOf(9), status: 'failed' },
          liveDeploymentId: idOf(8),
        }),
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
    expect(bare.getByText('Not deployed')).toBeDefined();
    expect(bare.queryByRole('link', { name: 'View Repository' })).toBeNull();
    expect(bare.queryByRole('link', { name: /localhost/ })).toBeNull();

    const flaky = card('Flaky');
    expect(flaky.getByText('Running')).toBeDefined();
    expect(flaky.getByText('Last deploy failed; previous version is still running')).toBeDefined();
    expect(flaky.queryByText('Failed')).toBeNull();
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

describe('a list that cannot be loaded', () => {
  it('leads to the login page when the session is over', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    renderPage('/deployments', { refusals: { 'projects.list': UNAUTHORIZED } });
    expect(await left.promise).toBe('/api/login?returnTo=%2Fdeployments');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized', variant: 'destructive' });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
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
    expect(screen.getByRole('link', { name: 'Browse templates' }).getAttribute('href')).toBe('/marketplace');
  });
});
