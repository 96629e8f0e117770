import { UserPlus, Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { CardPages } from '../../ui/card-pages.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { AddBeneficiaryDialog } from './add-beneficiary-dialog.tsx';
import { BeneficiaryCard } from './beneficiary-card.tsx';
import { BeneficiarySkeleton } from './beneficiary-skeleton.tsx';

export interface BeneficiaryListProps {
  /** Whether there is an account to send from. */
  canSend: boolean;
}

/** The accounts of others that the person keeps to send to. */
export function BeneficiaryList({ canSend }: BeneficiaryListProps) {
  const [adding, setAdding] = useState(false);
  const list = trpc.paymentGateway.beneficiaries.useInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);

  function contents(): ReactNode {
    if (list.data?.pages[0]?.length === 0) return <NoBeneficiaries onAdd={() => setAdding(true)} />;
    if (list.data) {
      return (
        <CardPages label="Beneficiaries" pages={list.data.pages}>
          {(beneficiary) => <BeneficiaryCard beneficiary={beneficiary} canSend={canSend} />}
        </CardPages>
      );
    }
    if (list.error) return <LoadFailure query={list} failure="Failed to load the beneficiaries" />;
    return <BeneficiarySkeleton />;
  }

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-muted">Accounts that you pay again and again: they fill in the form that sends.</p>
        <Button onClick={() => setAdding(true)}>
          <UserPlus aria-hidden="true" />
          Add Beneficiary
        </Button>
      </div>
      {contents()}
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More beneficiaries could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
      <AddBeneficiaryDialog open={adding} onOpenChange={setAdding} />
    </>
  );
}

function NoBeneficiaries({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={Users}
      title="No beneficiaries yet. Add one for quick transfers!"
      description="A beneficiary is someone else's account, kept under a name, so that its number is typed only once."
      action={<Button onClick={onAdd}>Add your first beneficiary</Button>}
    />
  );
}
