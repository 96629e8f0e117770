import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, type MockWorld, mockDeployment, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';

mockApi();

const PATH = `/projects/${mockProject().id}`;
const running = mockDeployment({ id: idOf(1) });
const failed = mockDeployment({
  id: idOf(2),
  status: 'failed',
  step: 'build',
  error: 'The build exited with code 2.',
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

/** The part above the tabs. */
function header() {
  const heading = screen.getByRole('heading', { level: 1 }).closest('header');
  if (!heading) throw new Error('there is no header');
  return within(heading);
}

/** How often the list of deployments was answered. */
function answers(world: MockWorld): number {
  return world.calls.filter(({ path }) => path === 'deployments.list').length;
}

/** Lets happen what was put off to the next turns, such as the rendering of changed data. */
async function turns() {
  for (let n = 0; n < 5; n += 1) await act(() => new Promise((resolve) => setTimeout(resolve)));
}

function called(world: MockWorld, path: string): unknown {
  return world.calls.find((call) => call.path === path)?.input;
}

describe('a project page', () => {
  it('does not claim that something serves where nothing does', async () => {
    renderPage(PATH, { projects: [mockProject()], deployments: [failed] });
    await screen.findByRole('alert');
    expect(screen.getByText('Last deploy failed while building')).toBeDefined();
    expect(screen.queryByText(/previous version/)).toBeNull();
    expect(header().getByText('Failed')).toBeDefined();
    for (const name of ['Stop', 'Restart', 'Start'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('offers the log of a failure everywhere but beside the log', async () => {
    const { user } = renderPage(PATH, { projects: [mockProject()], deployments: [failed] });
    const notice = await screen.findByRole('alert');
    await user.click(within(notice).getByRole('link', { name: 'View log' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'View log' })).toBeNull());
    expect(screen.getByText('Last deploy failed while building')).toBeDefined();
  });

  it('leads with what runs, also after a deployment that failed', async () => {
    renderPage(PATH, { projects: [live], deployments: [failed, running] });
    await screen.findByRole('alert');
    expect(header().getByText('Running')).toBeDefined();
    expect(
      within(screen.getByRole('alert')).getByText('Last deploy failed; previous version is still running'),
    ).toBeDefined();
  });

  it('asks before it stops what runs', async () => {
    const { user, world } = renderPage(PATH, { projects: [live], deployments: [running] });
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Stop Weather station?' }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(called(world, 'deployments.stopApp')).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    world.deployments = [mockDeployment({ id: idOf(1), status: 'stopped' })];
    await user.click(await screen.findByRole('button', { name: 'Stop app' }));
    await waitFor(() => expect(called(world, 'deployments.stopApp')).toEqual({ id: live.id }));
    expect(await header().findByText('Stopped')).toBeDefined();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it.each([
    [true, 'Start the last version again, without rebuilding'],
    [false, 'The last version is no longer kept: build and start the latest'],
  ])('says what a start does where the release that it needs is kept: %s', async (releaseKept, title) => {
    const stopped = mockDeployment({ status: 'stopped', releaseKept, rollbackOf: idOf(0) });
    renderPage(PATH, { projects: [mockProject()], deployments: [stopped] });
    expect((await screen.findByRole('button', { name: 'Start' })).title).toBe(title);
  });

  it('starts what was stopped, and restarts what runs', async () => {
    const stopped = mockDeployment({ status: 'stopped' });
    const { user, world } = renderPage(PATH, { projects: [mockProject()], deployments: [stopped] });
    await user.click(await screen.findByRole('button', { name: 'Start' }));
    await waitFor(() => expect(called(world, 'deployments.startApp')).toEqual({ id: live.id }));
    world.deployments = [running];
    act(() => FakeEventSource.of('deployments.changes')?.connect());
    await user.click(await screen.findByRole('button', { name: 'Restart' }));
    await waitFor(() => expect(called(world, 'deployments.restartApp')).toEqual({ id: live.id }));
    expect(screen.queryByRole('button', { name: 'Start' })).toBeNull();
  });

  it('shows both sides of a switch at one moment, and nothing older after it', async () => {
    const next = mockDeployment({ id: idOf(3), status: 'deploying', commitMessage: 'New' });
    const { world } = renderPage(PATH, { projects: [live], deployments: [next, running] });
    await screen.findByText('New');
    const stream = await until(() => FakeEventSource.of('deployments.changes'));
    const seen: string[] = [];
    const look = () =>
      seen.push(
        screen
          .getAllByRole('listitem')
          .flatMap((item) => {
            const has = (text: string) => within(item).queryByText(text) !== null;
            return has('Running') === has('Live') && !(has('Live') && has('Rollback'))
              ? []
              : item.textContent;
          })
          .concat(screen.getAllByText('Live').length === 1 ? [] : 'not one is live')
          .join(),
      );
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    // An answer from before the switch is on its way when the switch is told.
    const [older, newer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asked = 0;
    Object.defineProperty(world.delays, 'deployments.list', {
      get: () => (asked++ === 0 ? older : newer).promise,
    });
    act(() => stream.connect());
    await until(() => asked === 1);
    const after = mockDeployment({ ...running, status: 'stopped', live: false });
    act(() => stream.send('1', { ...next, status: 'running', live: true, more: true }));
    await turns();
    expect(row('New').getByText('Deploying')).toBeDefined();
    act(() => stream.send('2', { ...after, more: false }));
    await waitFor(() => expect(row('New').getByText('Live')).toBeDefined());
    older.resolve();
    await until(() => asked === 2 && answers(world) === 2);
    await turns();
    expect(row('New').getByText('Live')).toBeDefined();
    world.deployments = [{ ...next, status: 'running', live: true }, after];
    newer.resolve();
    await until(() => answers(world) === 3);
    await turns();
    expect(row('New').getByText('Running')).toBeDefined();
    expect(row('Read the barometer').getByText('Stopped')).toBeDefined();
    expect(row('Read the barometer').getByRole('button', { name: 'Rollback' })).toBeDefined();
    observer.disconnect();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(Boolean)).toEqual([]);
  });

  it('says which deployment needed no build, goes back to it, and builds anew when told to', async () => {
    const same = mockDeployment({
      id: idOf(3),
      status: 'stopped',
      commitMessage: 'Twice',
      rollbackOf: idOf(1),
    });
    const { user, world } = renderPage(PATH, { projects: [live], deployments: [same, running] });
    await screen.findByText('Twice');
    expect(row('Twice').getByText('Same build')).toBeDefined();
    expect(row('Read the barometer').queryByText('Same build')).toBeNull();
    await user.click(row('Twice').getByRole('button', { name: 'Rollback' }));
    await waitFor(() => expect(called(world, 'deployments.rollback')).toEqual({ id: same.id }));
    await user.click(screen.getByRole('button', { name: 'Build options' }));
    await user.click(await screen.findByRole('menuitem', { name: /^Clear cache and deploy/ }));
    await waitFor(() =>
      expect(called(world, 'deployments.create')).toEqual({ id: live.id, clearCache: true }),
    );
  });

  it('explains why nothing is run for somebody, and still lets them stop what runs', async () => {
    const reason = 'Only admins can deploy on this server.';
    const kept = mockDeployment({ id: idOf(0), status: 'stopped', commitMessage: 'Old' });
    const { world } = renderPage(PATH, {
      projects: [live],
      deployments: [running, kept],
      runtimes: [{ framework: 'nodejs', available: false, reason }],
    });
    await screen.findByText(reason);
    const said = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-description');
    for (const name of ['Deploy', 'Restart', 'Rollback']) expect(said(name), name).toBe(reason);
    expect(said('Stop')).toBeNull();
    world.deployments = [kept];
    act(() => FakeEventSource.of('deployments.changes')?.connect());
    await waitFor(() => expect(said('Start')).toBe(reason));
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
    const stream = await until(() => FakeEventSource.of('deployments.changes'));
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(FakeEventSource.of('deployments.changes')).toBeUndefined();
    expect(stream.readyState).toBe(FakeEventSource.CLOSED);

    const building = mockDeployment({ id: idOf(3), status: 'building', commitMessage: 'Meanwhile' });
    world.deployments = [building, running];
    visibility.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    const again = await until(() => FakeEventSource.of('deployments.changes'));
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
    expect(await screen.findByText("Can't open this page")).toBeDefined();
    expect(screen.getByRole('link', { name: 'Go to the home page' })).toBeDefined();
  });
});
