import { TRIAL_DAYS } from '@nephos/contracts/constants';
import { Clock } from 'lucide-react';
import { formatDate } from '../../lib/format.ts';
import { remainingOf, type Trial } from '../../lib/trial.ts';
import { Badge } from '../../ui/badge.tsx';
import { StatusCard } from './status-card.tsx';

export interface TrialStatusProps {
  trial: Trial;
  endDate: string | null;
}

export function TrialStatus({ trial, endDate }: TrialStatusProps) {
  return (
    <StatusCard
      badge={
        <Badge tone="info" icon={<Clock aria-hidden="true" />}>
          Trial Active
        </Badge>
      }
    >
      <div>
        <p className="font-semibold text-lg">{`${TRIAL_DAYS}-Day Free Trial`}</p>
        <p className="mt-0.5">
          {endDate && <>Ends on {formatDate(endDate)}. </>}
          {remainingOf(trial)}
        </p>
      </div>
      <p className="text-muted">
        Marketplace items can be installed during the trial, and the account is charged for selected services
        after {TRIAL_DAYS} days: for the plan that you subscribe to. Without one, nothing is charged.
      </p>
    </StatusCard>
  );
}
