import { useNavigate, useSearch } from '@tanstack/react-router';

/** What Stripe adds to the address when it sends the person back from their bank. */
interface BillingSearch {
  payment_intent?: string | undefined;
  redirect_status?: string | undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What the page reads from its address; all else, the payment's secret included, is dropped. */
export function billingSearch(search: Record<string, unknown>): BillingSearch {
  const { payment_intent, redirect_status } = search;
  return { payment_intent: textOf(payment_intent), redirect_status: textOf(redirect_status) };
}

/** A payment that went by way of the bank's own page. */
export interface ReturnedPayment {
  intentId: string;
  succeeded: boolean;
}

/** The payment that the person comes back from, and the way to an address without it. */
export function useReturnedPayment(): [ReturnedPayment | undefined, () => void] {
  const { payment_intent: intentId, redirect_status: status }: BillingSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return [
    intentId === undefined ? undefined : { intentId, succeeded: status === 'succeeded' },
    () =>
      void navigate({
        to: '/billing',
        search: { payment_intent: undefined, redirect_status: undefined },
        replace: true,
      }),
  ];
}
