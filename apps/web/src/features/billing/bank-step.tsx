import { PLANS, type PlanTier } from '@nephos/contracts/constants';
import { Landmark } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { priceOf } from './price.ts';

export interface BankStepProps {
  tier: PlanTier;
  busy: boolean;
  refusal: string | undefined;
  onAnswer: (approve: boolean) => void;
}

/** The sandbox bank's question whether it is the card's owner who pays. */
export function BankStep({ tier, busy, refusal, onAnswer }: BankStepProps) {
  return (
    <section aria-labelledby="bank-question">
      <div className="rounded-xl border border-line bg-sunken p-5">
        <Landmark aria-hidden="true" className="size-5 text-muted" />
        <h3 id="bank-question" className="mt-3 font-semibold text-lg">
          Your bank asks: is it you who pays?
        </h3>
        <p className="mt-1 text-muted">
          {priceOf(tier)} to Nephos for the {PLANS[tier].name} plan. This is the sandbox's test bank: approve
          the payment or deny it, as the owner of the card would.
        </p>
      </div>
      {refusal && <Notice tone="danger" title={refusal} className="mt-4" />}
      <DialogFooter>
        <Button disabled={busy} onClick={() => onAnswer(false)}>
          Deny
        </Button>
        <Button variant="primary" pending={busy} onClick={() => onAnswer(true)}>
          {busy ? 'Processing...' : 'Approve'}
        </Button>
      </DialogFooter>
    </section>
  );
}
