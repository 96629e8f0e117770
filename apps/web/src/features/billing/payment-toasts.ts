import { toast } from '../../ui/toast.ts';
import { PAYMENT_FAILURE } from './use-subscribe.ts';

/** The provider refused the card, and says why. */
export function sayDeclined(message: string): void {
  toast({ title: 'Payment Failed', description: message, variant: 'destructive' });
}

/** A payment ended without an answer to go on with. */
export function sayFailed(message: string | undefined): void {
  toast({ title: 'Error', description: message || PAYMENT_FAILURE, variant: 'destructive' });
}
