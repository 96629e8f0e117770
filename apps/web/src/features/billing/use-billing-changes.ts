import { useChanges } from '../../lib/use-changes.ts';
import { trpc } from '../../trpc.ts';
import { useBillingQueries } from './use-billing-queries.ts';

/** Keeps the page true while it is open: a payment may come through, or a renewal fail, without anything done here. */
export function useBillingChanges(): void {
  const { billing } = trpc.useUtils();
  const queries = useBillingQueries();

  function refetch() {
    for (const query of queries) void query.invalidate();
  }

  useChanges(trpc.billing.changes, undefined, {
    refetch: () => {
      refetch();
      // Grows by the hour, which the stream does not tell.
      void billing.usage.invalidate();
    },
    onChange: refetch,
  });
}
