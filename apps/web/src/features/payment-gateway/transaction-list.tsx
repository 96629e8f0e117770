import type { VirtualAccount } from '@nephos/contracts';
import { ArrowLeftRight } from 'lucide-react';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { TransactionRow } from './transaction-row.tsx';

const ROWS = ['first', 'second', 'third'];

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
      <MorePages {...nextPages(list, 'transactions')} />
    </>
  );
}

function NoTransactions({ onShowAccounts }: Pick<TransactionListProps, 'onShowAccounts'>) {
  return (
    <EmptyState
      icon={ArrowLeftRight}
      title="No transactions yet. Start sending or receiving payments!"
      description="Every payment to and from your accounts appears here, with its status."
      action={<Button onClick={onShowAccounts}>Go to virtual accounts</Button>}
    />
  );
}

/** Three rows in the shape of `TransactionRow`. */
function TransactionSkeleton() {
  return (
    <SkeletonGroup label="Loading transactions">
      <div className="divide-y divide-line rounded-xl border border-line bg-surface">
        {ROWS.map((row) => (
          <div key={row} data-testid="skeleton-row" className="flex gap-4 px-4 py-4">
            <Skeleton className="size-9 rounded-full!" />
            <div className="grow">
              <Skeleton className="h-6 w-3/5" />
              <Skeleton className="mt-1.5 h-4 w-2/5" />
              <Skeleton className="mt-1.5 h-4 w-1/3" />
            </div>
            <Skeleton className="h-6 w-20" />
          </div>
        ))}
      </div>
    </SkeletonGroup>
  );
}
