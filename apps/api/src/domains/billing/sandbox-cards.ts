import type { PaymentProviderInfo } from '@nephos/contracts';

/** How a test card behaves, as Stripe documents its own (docs.stripe.com/testing). */
export interface TestCard {
  /** Names it where it is kept; the number never is. */
  name: string;
  number: string;
  brand: string;
  /** For people who choose a card. */
  outcome: string;
  /** Why it is declined at once, in one sentence. */
  declined?: string;
  /** Whether the bank asks its owner, who is there, whether it is them who pays. */
  asks?: boolean;
  /** Why a renewal, when its owner is not there, is declined. */
  renewal?: string;
}

const DECLINED = 'Your card was declined.';

const CARDS: readonly TestCard[] = [
  { name: 'visa', number: '4242424242424242', brand: 'Visa', outcome: 'The payment succeeds.' },
  {
    name: 'mastercard',
    number: '5555555555554444',
    brand: 'Mastercard',
    outcome: 'The payment succeeds.',
  },
  {
    name: 'declined',
    number: '4000000000000002',
    brand: 'Visa',
    outcome: 'The card is declined.',
    declined: DECLINED,
  },
  {
    name: 'insufficient-funds',
    number: '4000000000009995',
    brand: 'Visa',
    outcome: 'The card has insufficient funds.',
    declined: 'Your card has insufficient funds.',
  },
  {
    name: 'expired',
    number: '4000000000000069',
    brand: 'Visa',
    outcome: 'The card has expired.',
    declined: 'Your card has expired.',
  },
  {
    name: 'incorrect-cvc',
    number: '4000000000000127',
    brand: 'Visa',
    outcome: 'The security code is incorrect.',
    declined: "Your card's security code is incorrect.",
  },
  {
    name: 'authentication-once',
    number: '4000002500003155',
    brand: 'Visa',
    outcome: 'The bank asks you to confirm; renewals succeed.',
    asks: true,
  },
  {
    name: 'authentication-always',
    number: '4000002760003184',
    brand: 'Visa',
    outcome: 'The bank asks you to confirm; renewals are declined.',
    asks: true,
    renewal: 'Your card was declined. This transaction requires authentication.',
  },
  {
    name: 'renewal-declined',
    number: '4000000000000341',
    brand: 'Visa',
    outcome: 'The payment succeeds; renewals are declined.',
    renewal: DECLINED,
  },
];

/** What the console offers to try. */
export const TEST_CARDS: PaymentProviderInfo['testCards'] = CARDS.map(({ number, outcome }) => ({
  number,
  outcome,
}));

/** Undefined for every number that is not a test card's. */
export function testCardOf(number: string): TestCard | undefined {
  return CARDS.find((card) => card.number === number);
}

/** A card that was kept. */
export function testCardNamed(name: string): TestCard | undefined {
  return CARDS.find((card) => card.name === name);
}
