import type { PlanTier } from '@nephos/contracts/constants';
import { useEffect, useState } from 'react';
import { useSubscribe } from './use-subscribe.ts';

export interface SettlementOptions {
  tier: PlanTier;
  onBusy: (busy: boolean) => void;
  onDone: () => void;
}

/** What follows the card: the payment while it is under way, then the subscription that it pays for. */
export function useSettlement({ tier, onBusy, onDone }: SettlementOptions) {
  const [paying, setPaying] = useState(false);
  // The payment that succeeded: it is not made again, whatever becomes of what follows.
  const [paid, setPaid] = useState<string>();
  const { run, pending, refusal } = useSubscribe({ onDone });
  const busy = paying || pending;
  useEffect(() => {
    onBusy(busy);
    return () => onBusy(false);
  }, [busy, onBusy]);

  function record(paymentIntentId: string) {
    setPaid(paymentIntentId);
    run({ planTier: tier, paymentIntentId });
  }

  return {
    busy,
    onPaying: setPaying,
    onPaid: record,
    /** Set where the payment succeeded and the subscription could not be recorded. */
    unrecorded:
      paid !== undefined && refusal !== undefined ? { refusal, retry: () => record(paid) } : undefined,
  };
}
