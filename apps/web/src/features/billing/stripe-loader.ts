import type { Stripe } from '@stripe/stripe-js';
import { createContext } from 'react';

/** Fetches Stripe's own script, which has to come from Stripe; null where there is no browser. */
type LoadStripe = (publishableKey: string) => Promise<Stripe | null>;

/** How Stripe is loaded: its script and what asks for it, only once somebody pays. */
export const StripeLoader = createContext<LoadStripe>(async (publishableKey) => {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  return loadStripe(publishableKey);
});
