import type { VirtualAccount } from '@nephos/contracts';
import { ArrowLeftRight } from 'lucide-react';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TransactionRow } from './transaction-row.tsx';
import { TransactionSkeleton } from './transaction-skeleton.tsx';

export interface TransactionListProps {
  accounts: readonly VirtualAccount[];
  onShowAccounts: () => void;
}

/** The payments of all of the person's accounts, newest first. */
export function TransactionList({ accounts, onShowAccounts }: TransactionListProps) {
  const list = trpc.paymentGateway.transactions.useInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  if (!list.data) {
    if (list.error) return <LoadFailure query={list} failure="Failed to load the transactions" />;
    return <TransactionSkeleton />;
  }
  const transactions = list.data.pages.flat();
  if (transactions.length === 0) return <NoTransactions onShowAccounts={onShowAccounts} />;
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return (
    <>
      <ul
        aria-label="Transactions"
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {transactions.map((transaction) => (
          <TransactionRow
            key={transaction.id}
            transaction={transaction}
            account={byId.get(transaction.virtualAccountId)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More transactions could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

function NoTransactions({ onShowAccounts }: Pick<TransactionListProps, 'onShowAccounts'>) {
  return (
    <EmptyState
      icon={ArrowLeftRight}
      title="No transactions yet. Start sending or receiving payments!"
      description="Every payment into and out of your accounts is listed here, and follows what becomes of it."
      action={<Button onClick={onShowAccounts}>Go to virtual accounts</Button>}
    />
  );
}
