import type { AppProcess, Detected, Project } from '@nephos/contracts';
import { DETECTED_SETTINGS } from '@nephos/contracts/constants';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { MockWorld } from '../../test/mock-world.ts';
import { mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const PATH = `/projects/${mockProject().id}/processes`;
const MB = 1024 ** 2;
const SINCE = '2026-11-20T10:00:00.000Z';

/** As a build finds an app of Vite. */
const SITE: Detected = {
  ...{ framework: 'Vite', runtime: 'Node.js 22.11.0', packageManager: 'npm', installCommand: 'npm ci' },
  ...{
    buildCommand: 'npm run build',
    releaseCommand: '',
    outputDirectory: 'dist',
    processes: [],
    port: null,
  },
};

function process(name: string, change: Partial<AppProcess> = {}): AppProcess {
  return { name, command: `node ${name}.js`, source: 'repository', instances: [], ...change };
}

function instance(number: number, change: Partial<AppProcess['instances'][number]> = {}) {
  return {
    ...{
      instance: number,
      state: 'running' as const,
      since: SINCE,
      restarts: 0,
      reason: '',
      port: null,
      node: null,
    },
    ...change,
  };
}

const worker = { name: 'worker', command: 'node worker.js', instances: 2, memory: 256, cpu: 50, tasks: null };

async function open(world: Partial<MockWorld> = {}) {
  const settings = { ...DETECTED_SETTINGS, processes: [worker] };
  const page = renderPage(PATH, {
    projects: [mockProject({ settings })],
    processes: [
      process('web', { instances: [instance(1, { port: 41000 })] }),
      process('worker', {
        source: 'settings',
        instances: [instance(1), instance(2, { state: 'failed', restarts: 4, reason: 'exited with code 1' })],
      }),
    ],
    ...world,
  });
  await screen.findByRole('region', { name: 'Processes' });
  return page;
}

const updates = ({ calls }: MockWorld) =>
  calls.filter(({ path }) => path === 'projects.update').map(({ input }) => input);

describe('the processes of an app', () => {
  it('show the state of each instance, its limits, and why one crashed', async () => {
    await open();
    const web = within(screen.getByRole('list', { name: 'Instances of web' })).getAllByRole('listitem');
    expect(web.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/Running.*Port 41000/)]);
    const workers = within(screen.getByRole('list', { name: 'Instances of worker' })).getAllByRole(
      'listitem',
    );
    expect(workers[1]?.textContent).toMatch(/Instance 2Crashed.*4 restartsIt exited with code 1\./);
    expect(screen.getByText('2 instances, each up to 256 MB of memory and 50% of a core')).toBeDefined();
  });

  it('change by their own numbers, and keep the others', async () => {
    const { world, user } = await open();
    await user.click(screen.getByRole('button', { name: 'Edit web' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit web' }));
    await user.type(dialog.getByLabelText('Instances'), '3');
    await user.type(dialog.getByLabelText('Command'), 'node main.js');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const web = { name: 'web', command: '', instances: 3, memory: null, cpu: null, tasks: null };
    expect(updates(world)).toMatchObject([
      { settings: { startCommand: 'node main.js', processes: [worker, web] } },
    ]);
  });

  it('say at the field what the server refuses', async () => {
    const { user } = await open({
      refusals: {
        'projects.update': {
          ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'Check the fields.' },
          fields: [{ path: 'settings.processes.0.memory', message: 'Memory is too small.' }],
        },
      },
    });
    await user.click(screen.getByRole('button', { name: 'Edit worker' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit worker' }));
    await user.clear(dialog.getByLabelText('Memory (MB)'));
    await user.type(dialog.getByLabelText('Memory (MB)'), '1');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Memory is too small.')).toBeDefined();
  });

  it('are added under a name of their own, and removed', async () => {
    const { world, user } = await open();
    await user.click(screen.getByRole('button', { name: 'Add worker' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add worker' }));
    await user.type(dialog.getByLabelText(/^Name/), 'worker');
    await user.type(dialog.getByLabelText(/^Command/), 'node mail.js');
    await user.click(dialog.getByRole('button', { name: 'Add worker' }));
    expect(await dialog.findByText('This project already has a process with this name.')).toBeDefined();
    await user.type(dialog.getByLabelText(/^Name/), '-2');
    await user.click(dialog.getByRole('button', { name: 'Add worker' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(updates(world)).toMatchObject([
      { settings: { processes: [worker, { name: 'worker-2', command: 'node mail.js' }] } },
    ]);
    // What the repository has cannot be taken out of it here.
    expect(screen.queryByRole('button', { name: 'Remove web' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Remove worker' }));
    await user.click(await screen.findByRole('button', { name: 'Remove process' }));
    await waitFor(() => expect(updates(world).at(-1)).toMatchObject({ settings: { processes: [] } }));
  });

  it.each<[Partial<Project>, RegExp]>([
    [{ framework: 'static' }, /needs no disk\.$/],
    [{ framework: 'nodejs', detected: SITE }, /set a start command in Settings and deploy\.$/],
  ])('are none of a static site: %j', async (site, description) => {
    renderPage(PATH, { projects: [mockProject(site)] });
    expect(await screen.findByText('No processes')).toBeDefined();
    expect(screen.getByText(description)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Add worker' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Disks' })).toBeNull();
  });
});

describe('disks', () => {
  it('become larger, and tell which is full and which is not limited', async () => {
    const disk = { createdAt: SINCE, measuredAt: SINCE, limited: true, size: 64 };
    const { world, user } = await open({
      disks: [
        { ...disk, id: crypto.randomUUID(), name: 'full', path: '/full', bytes: 63.5 * MB },
        { ...disk, id: crypto.randomUUID(), name: 'roomy', path: '/roomy', bytes: 63 * MB },
        { ...disk, id: crypto.randomUUID(), name: 'older', path: '/older', bytes: 64 * MB, limited: false },
      ],
      diskSupport: { mounted: true, limited: true, growsInUse: false },
      disksShared: true,
    });
    expect(screen.getByText(/All machines share its disks/)).toBeDefined();
    const rows = within(screen.getByRole('region', { name: 'Disks' })).getAllByRole('row');
    expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('63.50 MBFull64.00 MB'),
      expect.stringContaining('63.00 MB64.00 MB'),
      expect.stringContaining('64.00 MBNot limited'),
    ]);
    expect(screen.queryByRole('button', { name: 'Resize older' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Resize full' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Resize full' }));
    expect(dialog.getByText('The app gets the space with its next restart or deployment.')).toBeDefined();
    await user.clear(dialog.getByLabelText('Size (MB)'));
    await user.type(dialog.getByLabelText('Size (MB)'), '128');
    await user.click(dialog.getByRole('button', { name: 'Resize disk' }));
    await waitFor(() => expect(world.disks).toMatchObject([{ size: 128 }, { size: 64 }, { size: 64 }]));
    expect(await screen.findByText('128.00 MB')).toBeDefined();
    expect(screen.queryByText('Full')).toBeNull();
  });

  it('are added with a word about what this server can mount, and deleted by name', async () => {
    const { world, user } = await open();
    await user.click(screen.getByRole('button', { name: 'Add disk' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add disk' }));
    expect(dialog.getByText(/can't mount absolute paths/)).toBeDefined();
    await user.clear(dialog.getByLabelText('Size (MB)'));
    await user.type(dialog.getByLabelText('Size (MB)'), '2048');
    await user.click(dialog.getByRole('button', { name: 'Add disk' }));
    await waitFor(() => expect(world.disks).toMatchObject([{ name: 'data', path: 'data', size: 2048 }]));
    expect(await screen.findByText('Not measured yet')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Edit web' }));
    const edit = within(await screen.findByRole('dialog', { name: 'Edit web' }));
    expect(edit.getByLabelText<HTMLInputElement>('Instances').disabled).toBe(true);
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Delete data' }));
    const confirmation = within(await screen.findByRole('alertdialog', { name: 'Delete disk?' }));
    await user.type(confirmation.getByRole('textbox'), 'data');
    await user.click(confirmation.getByRole('button', { name: 'Delete disk' }));
    await waitFor(() => expect(world.disks).toEqual([]));
  });
});
