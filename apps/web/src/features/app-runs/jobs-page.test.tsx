import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { mockJob, mockRun } from '../../test/mock-app-runs.ts';
import { mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const PATH = `/projects/${mockProject().id}/jobs`;

async function open(world: object = {}) {
  const page = renderPage(PATH, { projects: [mockProject()], ...world });
  await screen.findByRole('heading', { name: 'Cron jobs' });
  return page;
}

describe('the jobs of a project', () => {
  it('say when they run, in their own zone too, and what became of the last run', async () => {
    const lastRun = mockRun({ kind: 'cron', jobId: mockJob().id, status: 'failed', error: 'It failed.' });
    await open({
      cronJobs: [mockJob({ lastRun }), mockJob({ id: lastRun.id, name: 'Off', nextRunAt: null })],
    });
    const jobs = within(screen.getByRole('table', { name: 'Cron jobs' }));
    expect(jobs.getAllByText('Every day at 03:00')).toHaveLength(2);
    expect(jobs.getByText('Nov 23, 2026, 03:00 in Asia/Tokyo')).toBeDefined();
    expect(jobs.getByText('Failed')).toBeDefined();
    expect(jobs.getByText('Never')).toBeDefined();
  });

  it('are made with a schedule that is explained, and refused at their field', async () => {
    const { world, user } = await open();
    await user.click(screen.getByRole('button', { name: 'Create a cron job' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New cron job' }));
    expect(await dialog.findByText('Every day at 03:00', { selector: 'p' })).toBeDefined();
    const create = dialog.getByRole<HTMLButtonElement>('button', { name: 'Create cron job' });
    expect(create.disabled).toBe(true);
    fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: 'Clean up' } });
    fireEvent.change(dialog.getByLabelText(/^Command/), { target: { value: 'node clean.js' } });
    await user.click(dialog.getByRole('button', { name: 'Every 15 minutes' }));
    fireEvent.change(dialog.getByLabelText(/^Time limit/), { target: { value: '2000' } });
    expect(dialog.getByText('From 1 minute to 24 hours (1440 minutes).')).toBeDefined();
    fireEvent.change(dialog.getByLabelText(/^Time limit/), { target: { value: '5' } });
    await user.click(create);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.calls.find(({ path }) => path === 'appRuns.createJob')?.input).toMatchObject({
      ...{ name: 'Clean up', command: 'node clean.js', schedule: '*/15 * * * *', timeLimit: 300 },
      ...{ enabled: true, catchUp: false },
    });
    expect(shownToast()).toMatchObject({ title: 'Cron job created' });
  });

  it('are deleted after a question', async () => {
    const { user } = await open({ cronJobs: [mockJob()] });
    await user.click(screen.getByRole('button', { name: 'Delete Nightly' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Nightly?' }));
    await user.click(dialog.getByRole('button', { name: 'Delete cron job' }));
    expect(await screen.findByText('No cron jobs yet')).toBeDefined();
  });
});

describe('a command', () => {
  it('is run once, and its output shown until it is cancelled', async () => {
    const { world, user } = await open();
    await user.click(screen.getByRole('button', { name: 'Run a command' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Run a command' }));
    fireEvent.change(dialog.getByLabelText(/^Command/), { target: { value: 'npm run seed' } });
    await user.click(dialog.getByRole('button', { name: 'Run' }));
    const run = within(await screen.findByRole('dialog', { name: 'npm run seed' }));
    expect(await run.findByText('Running')).toBeDefined();
    await user.click(run.getByRole('button', { name: 'Cancel run' }));
    expect(await run.findByText('Cancelled')).toBeDefined();
    const call = world.calls.find(({ path }) => path === 'appRuns.runCommand');
    expect(call?.input).toMatchObject({ command: 'npm run seed', timeLimit: 600 });
  });
});

it('a terminal that cannot be opened says why', async () => {
  renderPage(PATH.replace('jobs', 'terminal'), { projects: [mockProject()] });
  expect(await screen.findByText('There is no release to open a terminal in.')).toBeDefined();
});
