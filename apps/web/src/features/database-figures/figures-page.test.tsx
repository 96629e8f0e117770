import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DAY, MINUTE } from '../../lib/durations.ts';
import { BROKEN, type MockWorld, mockDatabase } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { figuresBeside, figuresSearch } from './figures-search.ts';

mockApi();

const DATABASE = mockDatabase();
const PATH = `/databases/${DATABASE.id}/figures`;
const MB = 1024 ** 2;

const FIGURES: MockWorld['databaseFigures'] = {
  ...{ range: '1h', step: 60 },
  points: [
    {
      ...{ at: '2026-11-20T09:59:00.000Z', size: null, connections: null, commits: null, rollbacks: null },
      cacheHits: null,
    },
    {
      ...{ at: '2026-11-20T10:00:00.000Z', size: 8 * MB, connections: 3, commits: 1200, rollbacks: 2 },
      cacheHits: 99.5,
    },
  ],
};

function open(state: Parameters<typeof renderPage>[1] = {}, path = PATH) {
  return renderPage(path, { databases: [DATABASE], databaseFigures: FIGURES, ...state });
}

/** A chart's figures, newest first. */
async function figures(title: string, user: ReturnType<typeof renderPage>['user']): Promise<string[][]> {
  await user.click(await screen.findByText(`${title} as a table`));
  const rows = within(await screen.findByRole('table', { name: title })).getAllByRole('row');
  return rows.slice(1).map((row) => [...row.children].slice(1).map(({ textContent }) => textContent));
}

describe('figures of a database', () => {
  it('are told as charts and tables, with gaps where its server slept', async () => {
    const { user, world } = open();
    expect(await figures('Transactions', user)).toEqual([
      ['1,200', '2'],
      ['–', '–'],
    ]);
    expect(await figures('Connections', user)).toEqual([['3'], ['–']]);
    expect(await figures('Cache hits', user)).toEqual([['99.5%'], ['–']]);
    expect(await figures('Size', user)).toEqual([['8 MB'], ['–']]);
    expect(screen.getByText(/Where a line breaks off, the server slept/)).toBeDefined();
    await user.click(screen.getByRole('link', { name: '7 days' }));
    await vi.waitFor(() =>
      expect(world.calls).toContainEqual({
        path: 'databaseFigures.figures',
        input: { id: DATABASE.id, range: '7d' },
      }),
    );
  });

  it('say so where there are none, and can be asked for again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, world } = open({ refusals: { 'databaseFigures.figures': BROKEN } });
    const again = await screen.findByRole('button', { name: 'Try again' });
    world.refusals = {};
    world.databaseFigures = { ...FIGURES, points: FIGURES.points.slice(0, 1) };
    await user.click(again);
    expect(await screen.findByText(/Nothing was measured in this time/)).toBeDefined();
  });

  it('are of PostgreSQL databases alone', async () => {
    open({ databases: [mockDatabase({ type: 'mysql', activity: null })] });
    expect(await screen.findByText('There are figures of PostgreSQL databases only.')).toBeDefined();
  });

  it('go back as far as they are kept', () => {
    const now = Date.parse('2026-11-20T10:00:00.000Z');
    expect(figuresSearch({ range: '90d', until: 'nonsense' })).toEqual({});
    expect(figuresBeside({}, now)).toEqual({ earlier: { until: '2026-11-20T09:00:00.000Z' }, later: null });
    expect(figuresBeside({ range: '7d' }, now).earlier).toBeNull();
    const until = new Date(now - 7 * DAY + 30 * MINUTE).toISOString();
    expect(figuresBeside({ until }, now).earlier).toBeNull();
    expect(figuresBeside({ until }, now).later).not.toBeNull();
  });
});
