import type { VirtualAccount } from '@nephos/contracts';
import { useEffect, useRef } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';

/**
 * Milliseconds in which changes are gathered: a stream begins with one for each account, and a payment between one's
 * own accounts changes two at once.
 */
const GATHERING = 200;

/** Everything that shows money: whatever moves some makes all of them old. */
export function useMoneyQueries() {
  const { paymentGateway } = trpc.useUtils();
  return [
    paymentGateway.virtualAccounts,
    paymentGateway.virtualAccount,
    paymentGateway.transactions,
    paymentGateway.statement,
  ];
}

/** Keeps balances, payments and statements true while money moves; in a hidden tab, too, while some is on its way. */
export function useMoneyChanges(accounts: readonly VirtualAccount[]): void {
  const queries = useMoneyQueries();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  function refetchSoon() {
    // Not put off by a change more: where they never end, what is shown would stay old.
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const query of queries) void query.invalidate();
    }, GATHERING);
  }

  useChanges(trpc.paymentGateway.changes, undefined, {
    always: accounts.some(({ pending }) => pending > 0),
    refetch: refetchSoon,
  });
}
