import type { Subscription } from '@nephos/contracts';
import { PLAN_TIERS, type PlanTier } from '@nephos/contracts/constants';
import { Notice } from '../../ui/notice.tsx';
import { PlanCard } from './plan-card.tsx';

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
        <Notice title="A change of plan is charged at once" className="mb-4">
          The new plan's price is charged now, and a new month begins. What is left of the present month is
          not paid back.
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
