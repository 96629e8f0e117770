import type { VirtualAccount } from '@nephos/contracts';
import { useEffect, useRef } from 'react';
import { useChanges } from '../../lib/use-changes.ts';
import { trpc } from '../../trpc.ts';
import { useMoneyQueries } from './use-money-queries.ts';

/** Milliseconds in which changes are gathered: a payment between one's own accounts changes two at once. */
const GATHERING = 50;

/** Keeps balances, payments and statements true while money moves; in a hidden tab, too, while some is on its way. */
export function useMoneyChanges(accounts: readonly VirtualAccount[]): void {
  const queries = useMoneyQueries();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function refetchAll() {
    for (const query of queries) void query.invalidate();
  }

  useChanges(trpc.paymentGateway.changes, undefined, {
    always: accounts.some(({ pending }) => pending > 0),
    refetch: refetchAll,
    onChange: () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(refetchAll, GATHERING);
    },
  });
}
