import type { Subscription } from '@nephos/contracts';
import { PLAN_TIERS, PLANS, type PlanTier } from '@nephos/contracts/constants';
import { Check } from 'lucide-react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { priceOf } from '../payment/payment-form.tsx';

export interface PlanStepProps {
  subscription: Subscription | null;
  /** The plan whose payment is being begun. */
  starting: PlanTier | undefined;
  refusal: string | undefined;
  onChoose: (tier: PlanTier) => void;
}

/** The three plans, and what a change costs. */
export function PlanStep({ subscription, starting, refusal, onChoose }: PlanStepProps) {
  return (
    <>
      {subscription?.status === 'active' && (
        <Notice title="You're charged as soon as you change plans" className="mb-4">
          You pay the new plan's price now, and a new billing month starts. Unused time isn't refunded.
        </Notice>
      )}
      {refusal && <Notice tone="danger" title={refusal} className="mb-4" />}
      <ul aria-label="Plans" className="grid gap-4 md:grid-cols-3">
        {PLAN_TIERS.map((tier) => (
          <li key={tier}>
            <PlanCard
              tier={tier}
              current={subscription?.status === 'active' && subscription.planTier === tier}
              pending={starting === tier}
              disabled={starting !== undefined}
              onChoose={() => onChoose(tier)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface PlanCardProps {
  tier: PlanTier;
  /** Whether it is the plan that is paid for already. */
  current: boolean;
  pending: boolean;
  disabled: boolean;
  onChoose: () => void;
}

function PlanCard({ tier, current, pending, disabled, onChoose }: PlanCardProps) {
  const { name, features } = PLANS[tier];
  return (
    <Card className="flex h-full flex-col">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold text-lg">{name}</h3>
        {current && <Badge tone="accent">Current plan</Badge>}
      </div>
      <p className="mt-2">
        <span className="font-semibold text-2xl tracking-tight">{priceOf(tier)}</span>
        <span className="text-muted">/month</span>
      </p>
      <ul aria-label={`In ${name}`} className="mt-4 mb-5 flex flex-col gap-2">
        {features.map((feature) => (
          <li key={feature} className="flex items-start gap-2">
            <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
            {feature}
          </li>
        ))}
      </ul>
      <Button
        variant="primary"
        className="mt-auto"
        disabled={current || disabled}
        pending={pending}
        onClick={onChoose}
      >
        Choose {name}
      </Button>
    </Card>
  );
}
