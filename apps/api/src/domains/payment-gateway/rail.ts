import type { Rail as RailDescription } from '@nephos/contracts';
import type { PaymentRow } from './payments.ts';

/** What became of a payment at the other bank. */
export type Outcome = { status: 'completed' } | { status: 'failed' /** One sentence. */; failure: string };

/** Carries payments to other banks. */
export interface Rail extends RailDescription {
  /** Seconds that a send stays pending, in which its sender can cancel it. */
  readonly pickUpAfter: number;
  /**
   * Resolves once the payment came to its end. Asked again with the same `id` (the process may have died between) it
   * moves no money twice and gives the same outcome. Rejects where the outcome is not known: it is asked again.
   */
  submit(payment: PaymentRow, signal: AbortSignal): Promise<Outcome>;
}
