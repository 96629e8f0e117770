import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { BROKEN, idOf, mockStatementLine, mockVirtualAccount } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

import { monthName, monthsBetween } from './statement-filters.tsx';
import { firstLines, statementSearch } from './statement-search.ts';

mockApi();

const ACCOUNT = mockVirtualAccount({
  balance: 125_000,
  pending: 1999,
  createdAt: '2026-09-30T10:00:00.000Z',
});
const PATH = `/payment-gateway/accounts/${ACCOUNT.id}`;
const SENT = mockStatementLine();
const RECEIVED = mockStatementLine({
  id: idOf(1302),
  kind: 'received',
  party: 'Analytical Society',
  description: '',
  amount: 126_999,
  balance: 126_999,
});

describe('the page of a virtual account', () => {
  it('shows what is available, held, and both', async () => {
    renderPage(PATH, { virtualAccounts: [ACCOUNT], statement: [SENT, RECEIVED] });
    expect(await screen.findByRole('heading', { level: 1, name: 'Engine works' })).toBeDefined();
    expect(screen.getByText('Available').nextElementSibling?.textContent).toBe('$1,250.00');
    expect(screen.getByText('Held').nextElementSibling?.textContent).toBe('$19.99');
    expect(screen.getByText('Total').nextElementSibling?.textContent).toBe('$1,269.99');
    await screen.findByText('Babbage & Sons');
    const table = screen.getByRole('table', { name: 'Statement' });
    const rows = within(table)
      .getAllByRole('row')
      .map((line) =>
        within(line)
          .queryAllByRole('cell')
          .slice(1)
          .map(({ textContent }) => textContent),
      );
    expect(rows.slice(1)).toEqual([
      ['Sent', 'Babbage & SonsBrass fittings · NP-7K3M9QX2TWBD', '-$19.99', '$1,250.00'],
      ['Received', 'Analytical SocietyNP-7K3M9QX2TWBD', '+$1,269.99', '$1,269.99'],
    ]);
    expect(screen.getByRole('button', { name: 'Send from Engine works' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Receive into Engine works' })).toBeDefined();
  });

  it('says where a search stopped, and goes on with older lines', async () => {
    const { user } = renderPage(`${PATH}?q=society`, {
      virtualAccounts: [ACCOUNT],
      statement: [SENT, RECEIVED, mockStatementLine({ id: idOf(1301) })],
      searchedLines: 1,
    });
    const stopped =
      'Searched 100,000 lines without reaching the oldest. Search older lines, or pick a month to narrow it down.';
    expect(await screen.findByText('No lines found yet')).toBeDefined();
    expect(screen.getByText(stopped)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Search older lines' }));
    expect(await screen.findByText('Analytical Society')).toBeDefined();
    expect(screen.getByText(stopped)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Search older lines' }));
    await waitFor(() => expect(screen.queryByText(stopped)).toBeNull());
    expect(screen.getByText('Analytical Society')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Search older lines' })).toBeNull();
  });

  it('says that nothing moved yet', async () => {
    renderPage(PATH, { virtualAccounts: [ACCOUNT] });
    expect(await screen.findByText('No payments yet')).toBeDefined();
  });

  it('keeps the page while its statement cannot be loaded', async () => {
    const { user, world } = renderPage(PATH, {
      virtualAccounts: [ACCOUNT],
      refusals: { 'paymentGateway.statement': BROKEN },
    });
    expect(await screen.findByText(BROKEN.message)).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No payments yet')).toBeDefined();
  });

  it('comes by pages', async () => {
    const statement = Array.from({ length: 61 }, (_, index) =>
      mockStatementLine({ id: idOf(9000 - index), party: `Party ${index}` }),
    );
    const { user } = renderPage(PATH, { virtualAccounts: [ACCOUNT], statement });
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('Party 60')).toBeDefined();
  });

  it('is not found where it is not theirs', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(console, 'error').mockImplementation(() => {});
    renderPage(PATH);
    expect(await screen.findByText("Can't open this page")).toBeDefined();
  });
});

describe('the statement as a file', () => {
  it('that cannot be had says why', async () => {
    const { user } = renderPage(PATH, {
      virtualAccounts: [ACCOUNT],
      refusals: { 'paymentGateway.statementCsv': BROKEN },
    });
    await user.click(await screen.findByRole('button', { name: /^Download CSV/ }));
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Error', description: BROKEN.message }));
  });
});

describe('the months of a statement', () => {
  it('go from the newest to that of the account, as UTC counts them', () => {
    const now = Date.parse('2027-01-31T23:59:59.999Z');
    expect(monthsBetween('2026-11-30T23:59:59.999Z', now)).toEqual(['2027-01', '2026-12', '2026-11']);
    expect(monthName('2026-11')).toBe('November 2026');
  });

  it('are never none, though the clock be behind', () => {
    expect(monthsBetween('2026-11-21T00:00:00Z', Date.parse('2026-10-01T00:00:00Z'))).toEqual(['2026-11']);
  });
});

it('asks the server for what narrows the statement, and for nothing else', () => {
  const page = { limit: 60, id: ACCOUNT.id };
  expect(firstLines(ACCOUNT.id, statementSearch({}))).toEqual(page);
  const search = statementSearch({ kind: 'received', month: '2026-10', q: 'society' });
  expect(firstLines(ACCOUNT.id, search)).toEqual({
    ...page,
    kind: 'received',
    month: '2026-10',
    search: 'society',
  });
  expect(statementSearch({ kind: 'stolen', month: '2026-13' })).toEqual({});
});
