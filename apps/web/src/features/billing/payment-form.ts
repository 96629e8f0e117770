import type { PlanTier } from '@nephos/contracts/constants';
import type { StartedPayment } from './use-start-payment.ts';

/** What every card form is given, whoever takes the payment. */
export interface PaymentForm {
  tier: PlanTier;
  payment: StartedPayment;
  /** Whether the payment, or what follows it, is under way. */
  busy: boolean;
  onPaying: (paying: boolean) => void;
  /** The payment succeeded, as the provider says. */
  onPaid: (intentId: string) => void;
}
