import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../lib/durations.ts';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { BROKEN, type MockWorld, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';

mockApi();

const PATH = `/projects/${mockProject().id}/metrics`;
const MB = 1024 ** 2;

function mockMetrics(requests: number): MockWorld['metrics'] {
  const point = { at: '2026-11-20T10:00:00.000Z', requests, errors: 2, p50: 12.5, p99: 1500 };
  const unseen = { requests: 0, errors: 0, p50: null, p99: null, cpu: null, memory: null, disk: null };
  return {
    ...{ range: '1h', step: 60 },
    points: [
      { ...unseen, at: '2026-11-20T09:59:00.000Z' },
      { ...point, cpu: 7, memory: 150 * MB, disk: 3 * MB },
    ],
    processes: [
      { process: 'web', cpu: [null, 5], memory: [null, 100 * MB] },
      { process: 'mailer', cpu: [null, 2], memory: [null, 50 * MB] },
    ],
  };
}

function open(search = '', state: Parameters<typeof renderPage>[1] = {}) {
  return renderPage(PATH + search, { projects: [mockProject()], ...state });
}

/** A chart's figures, newest first. */
async function figures(title: string, user: ReturnType<typeof renderPage>['user']): Promise<string[][]> {
  await user.click(await screen.findByText(`${title} as a table`));
  const rows = within(await screen.findByRole('table', { name: title })).getAllByRole('row');
  return rows.map((row) => [...row.children].slice(1).map(({ textContent }) => textContent));
}

describe("an app's figures", () => {
  it('say what will be there while there are none, and that they could not be had', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { world, user } = open('', { refusals: { 'observability.metrics': BROKEN } });
    expect(await screen.findByText("Couldn't load this page")).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No metrics yet')).toBeDefined();
  });

  it('are told in tables, and fetched again when there are new ones', async () => {
    const { world, user } = open('', { metrics: mockMetrics(1200) });
    expect(await figures('Requests', user)).toEqual([
      ['Requests', 'Errors'],
      ['1,200', '2'],
      ['0', '0'],
    ]);
    expect((await figures('Latency', user))[1]).toEqual(['12.5 ms', '1.5 s']);
    expect(await figures('Memory', user)).toEqual([
      ['App', 'web', 'mailer'],
      ['150 MB', '100 MB', '50 MB'],
      ['–', '–', '–'],
    ]);
    world.metrics = mockMetrics(1300);
    const stream = await until(() => FakeEventSource.of('observability.newMetrics'));
    act(() => {
      stream.connect();
      stream.send('1', { at: '2026-11-20T10:01:00.000Z' });
    });
    expect(await screen.findByRole('cell', { name: '1,300' })).toBeDefined();
  });

  it('are of the range that the address names', async () => {
    const { world, user } = open('?range=7d', { metrics: mockMetrics(1) });
    expect(await screen.findByText(/^Requests per hour/)).toBeDefined();
    expect(screen.getByRole('link', { name: '7 days' }).getAttribute('aria-current')).toBe('page');
    await user.click(screen.getByRole('link', { name: '90 days' }));
    expect(await screen.findByText(/^Requests per 12 hours/)).toBeDefined();
    await waitFor(() =>
      expect(world.calls.findLast(({ path }) => path === 'observability.metrics')?.input).toMatchObject({
        range: '90d',
      }),
    );
  });

  it('go back as far as they are kept, and forth until now', async () => {
    const begun = Math.floor(Date.now() / MINUTE) * MINUTE;
    const { world, user } = open('', { metrics: mockMetrics(0) });
    const lastInput = () =>
      world.calls.findLast(({ path }) => path === 'observability.metrics')?.input as { until?: string };
    expect((await screen.findByRole('button', { name: 'Later' })).hasAttribute('disabled')).toBe(true);
    await user.click(screen.getByRole('link', { name: 'Earlier' }));
    await waitFor(() => expect(Date.parse(lastInput().until ?? '')).toBeGreaterThanOrEqual(begun - HOUR));
    expect(Date.parse(lastInput().until ?? '')).toBeLessThanOrEqual(Date.now() - HOUR);
    await user.click(await screen.findByRole('link', { name: 'Later' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Later' })).toBeDefined());
    const week = new Date(Date.now() - 7 * DAY + HOUR / 2).toISOString();
    open(`?until=${week}`, { metrics: { ...mockMetrics(0), points: [] } });
    expect(await screen.findByText('No metrics for this time')).toBeDefined();
    expect(screen.getAllByRole('button', { name: 'Earlier' }).at(-1)?.hasAttribute('disabled')).toBe(true);
  });
});
