import type { PaymentProviderInfo } from '@nephos/contracts';

/** How a test card behaves, as Stripe documents its own (docs.stripe.com/testing). */
interface TestCard {
  /** It is never stored: the card's name is. */
  number: string;
  /** For people who choose a card. */
  outcome: string;
  /** Why it is declined at once, in one sentence. */
  declined?: string;
  /** Whether the bank has the owner confirm a payment, when they are there. */
  asks?: boolean;
  /** Why a renewal is declined, when its owner is not there. */
  renewal?: string;
}

/** A card with the name that is stored in the place of its number. */
export type NamedCard = TestCard & { name: string; brand: string };

const DECLINED = 'Your card was declined.';

/** The test cards by the names under which they are stored. */
const CARDS: Readonly<Record<string, TestCard>> = {
  visa: { number: '4242424242424242', outcome: 'The payment succeeds.' },
  mastercard: { number: '5555555555554444', outcome: 'The payment succeeds.' },
  declined: { number: '4000000000000002', outcome: 'The card is declined.', declined: DECLINED },
  'insufficient-funds': {
    number: '4000000000009995',
    outcome: 'The card has insufficient funds.',
    declined: 'Your card has insufficient funds.',
  },
  expired: {
    number: '4000000000000069',
    outcome: 'The card has expired.',
    declined: 'Your card has expired.',
  },
  'incorrect-cvc': {
    number: '4000000000000127',
    outcome: 'The security code is incorrect.',
    declined: "Your card's security code is incorrect.",
  },
  'authentication-once': {
    number: '4000002500003155',
    outcome: 'The bank asks you to confirm; renewals succeed.',
    asks: true,
  },
  'authentication-always': {
    number: '4000002760003184',
    outcome: 'The bank asks you to confirm; renewals are declined.',
    asks: true,
    renewal: 'Your card was declined. This transaction requires authentication.',
  },
  'renewal-declined': {
    number: '4000000000000341',
    outcome: 'The payment succeeds; renewals are declined.',
    renewal: DECLINED,
  },
};

/** What the console offers to try. */
export const TEST_CARDS: PaymentProviderInfo['testCards'] = Object.values(CARDS).map(
  ({ number, outcome }) => ({ number, outcome }),
);

/** Undefined for every number that is not a test card's. */
export function testCardOf(number: string): NamedCard | undefined {
  const [name, card] = Object.entries(CARDS).find(([, known]) => known.number === number) ?? [];
  if (name === undefined || !card) return undefined;
  return { ...card, name, brand: number.startsWith('4') ? 'Visa' : 'Mastercard' };
}

/**
 * How a card that was kept behaves: why it is declined when its owner is not there, and whether the bank asks when they
 * are. A bank that asks once did so when the card was kept.
 */
export function behaviourOf(name: string): { renewal: string; asks: boolean } {
  const { renewal = '', asks = false } = CARDS[name] ?? {};
  return { renewal, asks: asks && renewal !== '' };
}
