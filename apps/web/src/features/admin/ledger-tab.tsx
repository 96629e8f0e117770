import { CircleCheck, Scale } from 'lucide-react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CurrencyTable } from './currency-table.tsx';
import { Discrepancies } from './discrepancies.tsx';
import { FRESH } from './fresh.ts';
import { PanelSkeleton } from './panel-skeleton.tsx';

const FAILURE = 'Failed to add up the ledger';

/** What the ledger of the payment gateway adds up to. */
export function LedgerTab() {
  const balance = trpc.paymentGateway.trialBalance.useQuery(undefined, FRESH);
  if (!balance.data) {
    if (balance.error) return <LoadFailure query={balance} failure={FAILURE} />;
    return <PanelSkeleton label="Adding up the ledger..." />;
  }
  const { currencies, discrepancies } = balance.data;
  const unbalanced = currencies.filter(({ sum }) => sum !== 0);
  return (
    <section aria-labelledby="ledger" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-72">
          <h2 id="ledger" className="font-semibold text-lg">
            Trial balance
          </h2>
          <p className="text-muted">
            Every payment is written down twice, as what leaves one account and comes to another: all entries
            add up to zero.
          </p>
        </div>
        <Button pending={balance.isFetching} onClick={() => void balance.refetch()}>
          Add up again
        </Button>
      </div>
      {balance.error && <LoadFailure query={balance} failure={FAILURE} />}
      {unbalanced.map(({ currency }) => (
        <Notice key={currency} tone="danger" title={`The entries in ${currency} do not add up to zero.`}>
          Money was made or lost. Stop payments, keep a copy of the database, and find out why.
        </Notice>
      ))}
      {discrepancies.length > 0 ? <Discrepancies accounts={discrepancies} /> : <NoneDiffers />}
      {currencies.length > 0 ? (
        <CurrencyTable currencies={currencies} />
      ) : (
        <EmptyState
          icon={Scale}
          title="Nothing in the ledger yet"
          description="It begins with the first virtual account."
        />
      )}
    </section>
  );
}

function NoneDiffers() {
  return (
    <p className="flex items-center gap-2">
      <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
      No account differs from its entries
    </p>
  );
}
