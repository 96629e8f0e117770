import type { PlanTier } from '@nephos/contracts/constants';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { trpc } from '../../trpc.ts';

/** A payment that the provider waits for. */
export interface StartedPayment {
  planTier: PlanTier;
  intentId: string;
  clientSecret: string;
}

export interface StartPaymentOptions {
  /** Begun at once. */
  payFor: PlanTier | undefined;
  onStarted: (payment: StartedPayment) => void;
}

/** Begins to pay for a plan. */
export function useStartPayment({ payFor, onStarted }: StartPaymentOptions) {
  const { client } = trpc.useUtils();
  const [wanted, setWanted] = useState(payFor);
  const begin = useOnce(async (input: { planTier: PlanTier }, options) => {
    const { paymentIntentId, clientSecret } = await client.billing.startPayment.mutate(input, options);
    return { planTier: input.planTier, intentId: paymentIntentId, clientSecret };
  });
  const { run, pending, refusal } = useAction(begin, {
    failure: 'Failed to initiate payment',
    serverSpeaks: true,
    onDone: onStarted,
  });

  const begun = useRef(false);
  useEffect(() => {
    if (payFor === undefined || begun.current) return;
    begun.current = true;
    run({ planTier: payFor });
  });

  return {
    start: (planTier: PlanTier) => {
      setWanted(planTier);
      run({ planTier });
    },
    /** The plan whose payment is being begun. */
    starting: pending ? wanted : undefined,
    refusal,
  };
}
