import { useNavigate, useSearch } from '@tanstack/react-router';

/** What Stripe adds to the address when it sends the person back from their bank. */
interface BillingSearch {
  payment_intent?: string | undefined;
  redirect_status?: string | undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What the page reads from its address. */
export function billingSearch(search: Record<string, unknown>): BillingSearch {
  const { payment_intent, redirect_status } = search;
  return { payment_intent: textOf(payment_intent), redirect_status: textOf(redirect_status) };
}

/** A payment that went by way of the bank's own page. */
export interface ReturnedPayment {
  intentId: string;
  /** `open` while the bank has not decided. */
  outcome: 'succeeded' | 'failed' | 'open';
  /** Takes the payment's secret out of the address, and leaves what a reload needs. */
  hideSecret: () => void;
  /** Takes all of it out. */
  clear: () => void;
}

const OUTCOMES = ['succeeded', 'failed'] as const;

/** The payment that the person comes back from; undefined on every other visit. */
export function useReturnedPayment(): ReturnedPayment | undefined {
  const { payment_intent, redirect_status }: BillingSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  if (payment_intent === undefined) return undefined;
  const show = (search: BillingSearch) => void navigate({ to: '/billing', search, replace: true });
  return {
    intentId: payment_intent,
    outcome: OUTCOMES.find((known) => known === redirect_status) ?? 'open',
    hideSecret: () => show({ payment_intent, redirect_status }),
    clear: () => show({ payment_intent: undefined, redirect_status: undefined }),
  };
}
