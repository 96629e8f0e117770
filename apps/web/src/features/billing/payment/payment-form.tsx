import { PLANS, type PlanTier } from '@nephos/contracts/constants';
import type { ReactNode } from 'react';
import { formatCents } from '../../../lib/money.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogClose, DialogFooter } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/skeleton.tsx';
import { useFocusKept } from '../../../ui/use-focus-kept.ts';

/** A payment that the provider waits for. */
export interface StartedPayment {
  planTier: PlanTier;
  intentId: string;
  clientSecret: string;
}

/** What every card form is given, whoever takes the payment. */
export interface PaymentForm {
  tier: PlanTier;
  payment: StartedPayment;
  /** Whether the payment, or what follows it, is under way. */
  busy: boolean;
  onPaying: (paying: boolean) => void;
  /** The payment succeeded, as the provider says. */
  onPaid: (intentId: string) => void;
  /** The bank has not decided: there is nothing to do but wait. */
  onUndecided: () => void;
}

export interface PaymentEndProps {
  disabled: boolean;
  busy: boolean;
  /** Why the last attempt did not succeed. */
  refusal: string | undefined;
}

/** What a card form ends with. */
export function PaymentEnd({ disabled, busy, refusal }: PaymentEndProps) {
  useFocusKept(busy);
  return (
    <>
      {refusal && !busy && <Notice tone="danger" title={refusal} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button disabled={busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={disabled} pending={busy}>
          {busy ? 'Processing...' : 'Confirm Payment'}
        </Button>
      </DialogFooter>
    </>
  );
}

/** Says that no real money moves; `children` is what can be tried instead of a real card. */
export function TestModeNotice({ className, children }: { className?: string; children?: ReactNode }) {
  return (
    <Notice title="Test mode: no real money moves" className={className}>
      {children}
    </Notice>
  );
}

/** A card form in outline: number, expiry and code, buttons. */
export function CardFormSkeleton() {
  return (
    <SkeletonGroup label="Loading the card form">
      <Skeleton className="h-15" />
      <div className="mt-4 grid grid-cols-2 gap-4">
        <Skeleton className="h-15" />
        <Skeleton className="h-15" />
      </div>
      <Skeleton className="mt-6 ml-auto h-9 w-56" />
    </SkeletonGroup>
  );
}

/** What a plan costs a month, without the cents that no plan has: `$29`. */
export function priceOf(tier: PlanTier): string {
  return formatCents(PLANS[tier].price).replace(/\.00$/, '');
}
