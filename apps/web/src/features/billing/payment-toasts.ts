import type { Subscription } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { toast } from '../../ui/toast.ts';

export const PAYMENT_FAILURE = 'Failed to process payment';

/** The provider refused the card, and says why. */
export function sayDeclined(message: string): void {
  toast({ title: 'Payment Failed', description: message, variant: 'destructive' });
}

/** A payment ended without an answer to go on with. */
export function sayFailed(message: string | undefined): void {
  toast({ title: 'Error', description: message || PAYMENT_FAILURE, variant: 'destructive' });
}

/** What a payment paid for. Told of late, that may be over: a plan that was paid for after it has its place. */
export function sayRecorded({ planTier, status }: Subscription): void {
  const over = {
    title: 'Payment recorded',
    description: `The ${PLANS[planTier].name} plan is not active: it was replaced by a later payment, or cancelled.`,
  };
  toast(status === 'cancelled' ? over : { title: 'Subscription activated successfully!' });
}
