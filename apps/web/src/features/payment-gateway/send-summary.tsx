import type { VirtualAccount } from '@nephos/contracts';
import { formatCents, parseCents } from '../../lib/money.ts';
import type { PaymentDraft } from './payment-draft.ts';

export interface SendSummaryProps {
  account: VirtualAccount;
  /** Payable. */
  draft: PaymentDraft;
}

/** What will happen, in words and exact cents, before it does. */
export function SendSummary({ account, draft: { amount, accountName, bankName } }: SendSummaryProps) {
  const cents = parseCents(amount) ?? 0;
  const left = account.balance - cents;
  return (
    <section aria-label="Summary" className="rounded-lg border border-line bg-sunken px-4 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="text-muted">You send</span>
        <output className="break-all font-semibold text-xl">{formatCents(cents)}</output>
      </p>
      <p className="mt-1 break-words text-muted">
        from <strong className="font-medium text-fg">{account.accountName}</strong> to{' '}
        <strong className="font-medium text-fg">{accountName.trim()}</strong> ({bankName.trim()}).{' '}
        {left >= 0 && <span>{formatCents(left)} will be left.</span>}
      </p>
      {isRounded(amount) && (
        <p className="mt-1 text-muted">Rounded down to whole cents from {amount.trim()}.</p>
      )}
    </section>
  );
}

/** Whether anything but zeros follows the cents. */
function isRounded(amount: string): boolean {
  return /\.\d\d\d*[1-9]/.test(amount);
}
