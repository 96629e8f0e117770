import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { DataList, type DataListProps } from './data-list.tsx';
import { WindowRows } from './window-rows.tsx';

interface Ship {
  id: string;
  name: string;
  port: string | null;
}

const SHIPS: Ship[] = [
  { id: '1', name: 'Beagle', port: 'Plymouth' },
  { id: '2', name: 'Fram', port: null },
];

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function show(changes: Partial<DataListProps<Ship>> = {}) {
  render(
    <DataList
      label="Ships"
      columns={[
        { heading: 'Name', cell: ({ name }) => name, card: 'title' },
        { heading: 'Port', cell: ({ port }) => port },
        {
          heading: 'Actions',
          hideHeading: true,
          cell: () => <button type="button">Sink</button>,
          card: 'end',
        },
      ]}
      rows={SHIPS}
      {...changes}
    />,
  );
}

function narrow() {
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(328);
}

test('it is a table where there is room', () => {
  show();
  const rows = within(screen.getByRole('table', { name: 'Ships' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual(['NamePortActions', 'BeaglePlymouthSink', 'FramSink']);
});

test('it is cards where there is none, which leave out what there is nothing to say of', () => {
  narrow();
  show();
  const cards = within(screen.getByRole('list', { name: 'Ships' })).getAllByRole('listitem');
  expect(cards.map((card) => card.textContent)).toEqual(['NameBeaglePortPlymouthSink', 'NameFramSink']);
});

test.each([
  ['few', {}],
  ['many', { windowed: WindowRows }],
])(
  'cards, where they are %s, say that they are a list: Safari takes one without bullets for none',
  (_, changes) => {
    narrow();
    show(changes);
    expect(screen.getByRole('list', { name: 'Ships' }).getAttribute('role')).toBe('list');
  },
);

test('few columns stay a table', () => {
  narrow();
  show({ alwaysTable: true });
  expect(screen.getByRole('table', { name: 'Ships' })).toBeDefined();
});

test.each([['table'], ['cards']])('while it loads it is outlined, as %s', (layout) => {
  if (layout === 'cards') narrow();
  show({ rows: undefined, loading: 'Loading ships' });
  const status = screen.getAllByText('Loading ships').map((text) => text.closest('[role="status"]'))[0];
  expect(status?.getAttribute('aria-busy')).toBe('true');
  expect(screen.getAllByTestId('skeleton-row')).toHaveLength(3);
});

test('what went wrong takes the place of the outline, and stands above rows from before', () => {
  show({ rows: undefined, failure: <p>It broke.</p> });
  expect(screen.queryByTestId('skeleton-row')).toBeNull();
  cleanup();
  show({ failure: <p>It broke.</p> });
  expect(screen.getByText('It broke.')).toBeDefined();
  expect(screen.getByText('Beagle')).toBeDefined();
});

test('it says that there is nothing', () => {
  show({ rows: [], empty: <p>No ships yet</p> });
  expect(screen.getByText('No ships yet')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});

test('what belongs to a row stands below it', () => {
  show({ useBelow: ({ name }) => (name === 'Fram' ? <p>In the ice</p> : null) });
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows).toEqual(['NamePortActions', 'BeaglePlymouthSink', 'FramSink', 'In the ice']);
});

test('more is asked for, and again when it could not be had', async () => {
  const list = {
    hasNextPage: true,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    fetchNextPage: vi.fn(),
  };
  const failure = "Couldn't load more ships.";
  show({ more: { list, failure } });
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  cleanup();
  show({ more: { list: { ...list, isFetchNextPageError: true }, failure } });
  expect(screen.getByRole('alert').textContent).toBe(failure);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(list.fetchNextPage).toHaveBeenCalledTimes(2);
  cleanup();
  show({ more: { list: { ...list, hasNextPage: false }, failure } });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test.each([
  ['goes on', {}, 1],
  ['waits for what is on its way', { isFetchingNextPage: true }, 0],
  ['leaves it to a person after a failure', { isFetchNextPageError: true }, 0],
])('near its end, a list of any length %s', (_, state, calls) => {
  const fetchNextPage = vi.fn();
  const list = {
    ...{ hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false, fetchNextPage },
    ...state,
  };
  show({ windowed: WindowRows, more: { list, failure: "Couldn't load more ships." } });
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('-1');
  expect(fetchNextPage.mock.calls.length > 0).toBe(calls > 0);
});
