import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DAY, MINUTE } from '../../lib/durations.ts';
import { BROKEN, idOf, type MockWorld, mockDatabase, mockUser } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { figureRange, figuresBeside } from './figures-search.ts';

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

const nameOf = ({ textContent }: HTMLElement) => textContent;

describe('figures of a database', () => {
  it('are never those of the one that was shown before', async () => {
    const other = mockDatabase({ id: idOf(902), name: 'billing' });
    const { world, router } = open({ databases: [DATABASE, other] });
    expect(await screen.findByText('Size as a table')).toBeDefined();
    world.delays['databaseFigures.figures'] = Promise.withResolvers<void>().promise;
    await router.navigate({ to: '/databases/$databaseId/figures', params: { databaseId: other.id } });
    expect(await screen.findByText('Loading the figures')).toBeDefined();
    expect(screen.queryByText('Size as a table')).toBeNull();
  });

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
      expect(screen.getAllByRole('link', { current: 'page' }).map(nameOf)).toContain('7 days'),
    );
    expect(screen.getAllByRole('link', { current: 'page' }).map(nameOf)).not.toContain('1 hour');
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
    expect(figureRange({ range: '90d' })).toBe('1h');
    expect(figuresBeside({}, now)).toEqual({ earlier: { until: '2026-11-20T09:00:00.000Z' }, later: null });
    expect(figuresBeside({ range: '7d' }, now).earlier).toBeNull();
    const until = new Date(now - 7 * DAY + 30 * MINUTE).toISOString();
    expect(figuresBeside({ until }, now).earlier).toBeNull();
    expect(figuresBeside({ until }, now).later).not.toBeNull();
  });
});

describe('slow statements', () => {
  const statement = { id: '1', text: 'select * from orders where id = $1', calls: 1500, rows: 20 };
  const times = { total: 90_000, mean: 60, longest: 1250, share: 0.5 };

  it('are listed, sorted and counted anew', async () => {
    const since = '2026-11-20T10:00:00.000Z';
    const statements = [{ ...statement, ...times }];
    const { user, world } = open({ countedStatements: { state: 'asked', since, statements } });
    const table = await screen.findByRole('table', { name: 'Slow statements' });
    const row = within(table).getByText(statement.text).closest('tr') as HTMLElement;
    expect([...row.children].slice(1).map(({ textContent }) => textContent)).toEqual([
      ...['1.5K', '1.5 min', '60 ms', '1.25 s', '20', '50%'],
    ]);
    await user.click(screen.getByRole('combobox', { name: 'Sort by' }));
    await user.click(await screen.findByRole('option', { name: 'Mean time' }));
    await vi.waitFor(() =>
      expect(world.calls).toContainEqual({
        path: 'databaseFigures.statements',
        input: { id: DATABASE.id, sort: 'mean' },
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Count statements anew?' });
    await user.click(within(dialog).getByRole('button', { name: 'Reset' }));
    expect(await screen.findByText('No statement has run yet.')).toBeDefined();
  });

  it('are there once a server that sleeps is woken', async () => {
    const { user } = open({ countedStatements: { state: 'asleep', since: null, statements: [] } });
    await user.click(await screen.findByRole('button', { name: 'Wake it' }));
    expect(await screen.findByText('No statement has run yet.')).toBeDefined();
  });

  it('are not counted where others share the server', async () => {
    open({ countedStatements: { state: 'shared', since: null, statements: [] } });
    expect(await screen.findByText(/other databases share this one's server/)).toBeDefined();
  });
});

describe('sessions', () => {
  const at = '2026-11-20T10:00:00.000Z';
  const session = { user: 'db_orders', application: 'shop', since: at, transactionSince: at };
  const sessions = [
    {
      ...{ ...session, id: '12-1', state: 'active', statement: 'update orders set paid = true' },
      ...{ waitsFor: ['11-1'], waitsSince: at },
    },
    {
      ...{ ...session, id: '11-1', state: 'idle in transaction', statement: 'select 1' },
      ...{ waitsFor: [], waitsSince: null },
    },
  ];

  it('say who waits for whom, and can be ended', async () => {
    const { user } = open({ databaseSessions: { state: 'asked', sessions } });
    expect(await screen.findByText(/Waits for 11/)).toBeDefined();
    expect(screen.getByText('Blocks others')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Cancel statement of 12' }));
    await vi.waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Cancel statement of 12' })).toBeNull(),
    );
    await user.click(screen.getByRole('button', { name: 'End session 11' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'End session 11?' });
    await user.click(within(dialog).getByRole('button', { name: 'End session' }));
    await vi.waitFor(() => expect(screen.queryByText('Blocks others')).toBeNull());
    expect(screen.getByRole('button', { name: 'End session 12' })).toBeDefined();
  });

  it('are for those who may see values', async () => {
    const workspace = { id: crypto.randomUUID(), name: 'Bob', personal: true, role: 'viewer' } as const;
    open({ user: mockUser({ workspace }) });
    expect(await screen.findByText(/You need the role Developer/)).toBeDefined();
  });
});
