import type { Beneficiary } from '@nephos/contracts';
import { Trash2, UserPlus, Users } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { CardPages } from '../../ui/card-pages.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { CardShapes } from '../../ui/page-skeleton.tsx';
import { SkeletonGroup } from '../../ui/skeleton.tsx';
import { AccountNumber } from './account-marks.tsx';
import { SendButton } from './payment-buttons.tsx';

const AddBeneficiaryDialog = lateDialog({ fields: 4 }, () =>
  import('./add-beneficiary-dialog.tsx').then(({ AddBeneficiaryDialog }) => AddBeneficiaryDialog),
);

export interface BeneficiaryListProps {
  /** Whether there is an account to send from. */
  canSend: boolean;
}

/** The accounts of others that the person keeps to send to. */
export function BeneficiaryList({ canSend }: BeneficiaryListProps) {
  const [adding, setAdding] = useState(false);
  const need = useNeed('money');
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
    return (
      <SkeletonGroup label="Loading beneficiaries">
        <CardShapes height="h-48" lines={2} button="w-20" />
      </SkeletonGroup>
    );
  }

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-muted">Accounts you pay often, saved for quick transfers.</p>
        <Button {...need} onClick={() => setAdding(true)}>
          <UserPlus aria-hidden="true" />
          Add Beneficiary
        </Button>
      </div>
      {contents()}
      <MorePages {...nextPages(list, 'beneficiaries')} />
      {adding && <AddBeneficiaryDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function NoBeneficiaries({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={Users}
      title="No beneficiaries yet. Add one for quick transfers!"
      description="Save someone's account details once, then pick them whenever you send."
      action={
        <Button {...useNeed('money')} onClick={onAdd}>
          Add your first beneficiary
        </Button>
      }
    />
  );
}

interface BeneficiaryCardProps {
  beneficiary: Beneficiary;
  canSend: boolean;
}

/** Memoised: there may be a thousand, and a page more leaves those before it as they are. */
const BeneficiaryCard = memo(function BeneficiaryCard({ beneficiary, canSend }: BeneficiaryCardProps) {
  const { accountName, accountNumber, bankName, bankCode } = beneficiary;
  return (
    <Card className="flex h-full min-h-48 flex-col">
      <CardHeader title={<span title={accountName}>{accountName}</span>} />
      <dl className="mt-3 grid grid-cols-[4.5rem_minmax(0,1fr)] items-baseline gap-x-3 text-sm">
        <dt className="text-faint">Account</dt>
        <dd>
          <AccountNumber number={accountNumber} of={accountName} />
        </dd>
        <dt className="py-1 text-faint">Bank</dt>
        <dd className="break-words py-1">{bankName}</dd>
        {bankCode && (
          <>
            <dt className="py-1 text-faint">Bank code</dt>
            <dd className="break-all py-1 font-mono">{bankCode}</dd>
          </>
        )}
      </dl>
      <div className="mt-auto flex flex-wrap justify-between gap-2 pt-5">
        {canSend && <SendButton to={beneficiary} label={`Send to ${accountName}`} size="sm" />}
        <DeleteBeneficiary beneficiary={beneficiary} />
      </div>
    </Card>
  );
});

/** Asks, then deletes the beneficiary. */
function DeleteBeneficiary({ beneficiary }: { beneficiary: Beneficiary }) {
  const { id, accountName, accountNumber, bankName } = beneficiary;
  const { paymentGateway } = trpc.useUtils();
  const remove = useAction(trpc.paymentGateway.removeBeneficiary.useMutation(), {
    success: 'Beneficiary deleted successfully!',
    failure: 'Failed to delete beneficiary',
    refresh: [paymentGateway.beneficiaries],
  });
  return (
    <ConfirmDialog
      title="Delete beneficiary?"
      description={
        <>
          <strong className="wrap-anywhere text-fg">{accountName}</strong>, account {accountNumber} at{' '}
          {bankName}. Past payments stay in your transactions.
        </>
      }
      label="Delete beneficiary"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Delete ${accountName}`}
          onClick={open}
          className="-mr-3"
        >
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      )}
    />
  );
}
