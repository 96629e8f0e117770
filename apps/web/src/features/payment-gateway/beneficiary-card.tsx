import type { Beneficiary } from '@nephos/contracts';
import { memo } from 'react';
import { Card, CardHeader } from '../../ui/card.tsx';
import { AccountNumber } from './account-number.tsx';
import { DeleteBeneficiary } from './delete-beneficiary.tsx';
import { SendButton } from './send-button.tsx';

export interface BeneficiaryCardProps {
  beneficiary: Beneficiary;
  canSend: boolean;
}

/** Memoised: there may be a thousand, and a page more leaves those before it as they are. */
export const BeneficiaryCard = memo(function BeneficiaryCard({ beneficiary, canSend }: BeneficiaryCardProps) {
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
