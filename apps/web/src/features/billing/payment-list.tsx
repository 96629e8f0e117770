import { ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { trpc } from '../../trpc.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { PaymentCards } from './payment-cards.tsx';
import { PaymentTable } from './payment-table.tsx';
import { RecordSkeleton } from './record-skeleton.tsx';
import { Section } from './section.tsx';

/** What the card was charged, newest first. */
export function PaymentList() {
  const list = trpc.billing.payments.useInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);

  function contents(): ReactNode {
    if (!list.data) {
      return list.error ? (
        <LoadFailure query={list} failure="Failed to load the payments" />
      ) : (
        <RecordSkeleton label="Loading payments" />
      );
    }
    const payments = list.data.pages.flat();
    if (payments.length === 0) return <NoPayments />;
    return (
      <TableOrCards
        table={<PaymentTable payments={payments} />}
        cards={<PaymentCards payments={payments} />}
      />
    );
  }

  return (
    <Section
      title="Payments"
      description="What your card was charged: the price of your plan, each month and at each change of plan."
    >
      {contents()}
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More payments could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Section>
  );
}

function NoPayments() {
  return (
    <EmptyState
      icon={ReceiptText}
      title="No payments yet"
      description="Each charge of your card is listed here under its invoice number, and also one that failed."
    />
  );
}
