import { randomBytes } from 'node:crypto';
import { CARDS } from './billing-fixtures.ts';

type Body = Record<string, string>;

export interface FakeIntent {
  id: string;
  object: 'payment_intent';
  /** Seconds. */
  created: number;
  amount: number;
  amount_received: number;
  currency: string;
  customer: string;
  livemode: boolean;
  client_secret: string;
  metadata: Record<string, string>;
  status: string;
  payment_method: string | null;
  last_payment_error: { message: string; code: string } | null;
  latest_charge: { created: number } | null;
}

const DECLINES: Record<string, { code: string; message: string }> = {
  [CARDS.declined]: { code: 'card_declined', message: 'Your card was declined.' },
  [CARDS.insufficientFunds]: { code: 'card_declined', message: 'Your card has insufficient funds.' },
  [CARDS.expired]: { code: 'expired_card', message: 'Your card has expired.' },
  [CARDS.incorrectCvc]: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
};
const ASKS: string[] = [CARDS.asksOnce, CARDS.asksAlways];
const DENIED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
const RENEWAL_DECLINES: Record<string, { code: string; message: string }> = {
  [CARDS.renewalDeclined]: { code: 'card_declined', message: 'Your card was declined.' },
  [CARDS.asksAlways]: {
    code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
};
/** Members of the bodies that Stripe takes; it refuses others, `payment_method_types` among them. */
const KNOWN =
  /^(amount|currency|customer|allowed_payment_method_types\[\d\]|setup_future_usage|metadata\[\w+\]|expand\[\d\]|payment_method|use_stripe_sdk|off_session|confirm|email|name)$/;

/** What Stripe answers where it refuses. */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, error: object) {
    super('fault');
    this.status = status;
    this.body = { error };
  }
}

function invalidRequest(message: string, code?: string, status = 400, param?: string): StripeFault {
  return new StripeFault(status, { type: 'invalid_request_error', message, code, param });
}

export function newId(kind: string): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}

/** What Stripe keeps, and its rules about it. */
export class StripeBooks {
  readonly intents = new Map<string, FakeIntent>();
  readonly #customers = new Set<string>();
  readonly #cards = new Map<string, { number: string; customer: string | null }>();

  /** Answers a request, or throws what it is refused with. */
  route(method: string, url: URL, body: Body): object {
    const [, , resource, id = '', action] = url.pathname.split('/');
    const unknown = Object.keys(body).find((name) => !KNOWN.test(name));
    if (unknown) throw invalidRequest(`Received unknown parameter: ${unknown}`, 'parameter_unknown');
    const expand = [...url.searchParams.keys(), ...Object.keys(body)].some((name) =>
      name.startsWith('expand'),
    );
    if (resource === 'customers' && method === 'POST') return this.#createCustomer();
    if (resource === 'payment_methods' && action === 'detach') return this.#detach(id);
    if (resource !== 'payment_intents') throw invalidRequest('Unrecognized request URL', undefined, 404);
    if (method === 'POST' && id === '') return this.#shown(this.#createIntent(body), expand);
    if (id === '') return this.#list(url.searchParams.get('customer') ?? '', expand);
    const intent = this.intents.get(id);
    if (!intent) throw invalidRequest(`No such payment_intent: '${id}'`, 'resource_missing', 404, 'intent');
    if (action === 'confirm') return this.#shown(this.#confirm(intent, body.payment_method ?? ''), expand);
    return this.#shown(intent, expand);
  }

  #createCustomer(): object {
    const id = newId('cus');
    this.#customers.add(id);
    return { id, object: 'customer' };
  }

  #detach(id: string): object {
    const card = this.#cards.get(id);
    if (!card?.customer) throw invalidRequest('The payment method is not attached to a customer.');
    card.customer = null;
    return { id, object: 'payment_method', customer: null };
  }

  #list(owner: string, expand: boolean): object {
    this.#assertCustomer(owner);
    const own = [...this.intents.values()].filter(({ customer }) => customer === owner);
    return {
      object: 'list',
      has_more: false,
      data: own.reverse().map((intent) => this.#shown(intent, expand)),
    };
  }

  #shown(intent: FakeIntent, expand: boolean): object {
    const card = intent.payment_method ? this.#cards.get(intent.payment_method) : undefined;
    if (!expand || !card) return intent;
    const brand = card.number.startsWith('5') ? 'mastercard' : 'visa';
    const shownCard = { brand, last4: card.number.slice(-4), exp_month: 12, exp_year: 2099 };
    return { ...intent, payment_method: { id: intent.payment_method, type: 'card', card: shownCard } };
  }

  #fail(intent: FakeIntent, error: { code: string; message: string }): FakeIntent {
    return Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { ...error, type: 'card_error' },
    });
  }

  #succeed(intent: FakeIntent): FakeIntent {
    return Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      last_payment_error: null,
      latest_charge: { created: Math.floor(Date.now() / 1000) },
    });
  }

  #assertCustomer(id: string): void {
    if (this.#customers.has(id)) return;
    throw invalidRequest(`No such customer: '${id}'`, 'resource_missing', 400, 'customer');
  }

  #createIntent(body: Body): FakeIntent {
    if (Number(body.amount) < 50)
      throw invalidRequest('Amount must be at least $0.50 usd.', 'amount_too_small');
    this.#assertCustomer(body.customer ?? '');
    const id = newId('pi');
    const metadata = Object.fromEntries(
      Object.entries(body).flatMap(([name, value]) => {
        const member = /^metadata\[(\w+)\]$/.exec(name)?.[1];
        return member ? [[member, value]] : [];
      }),
    );
    const intent: FakeIntent = {
      ...{ id, object: 'payment_intent', created: Math.floor(Date.now() / 1000) },
      ...{ amount: Number(body.amount), amount_received: 0 },
      ...{ currency: body.currency ?? '', customer: body.customer ?? '', livemode: false, metadata },
      ...{
        client_secret: `${id}_secret_${randomBytes(9).toString('hex')}`,
        status: 'requires_payment_method',
      },
      ...{ payment_method: null, last_payment_error: null, latest_charge: null },
    };
    this.intents.set(id, intent);
    return body.confirm === 'true' ? this.#chargeOffSession(intent, body.payment_method ?? '') : intent;
  }

  #chargeOffSession(intent: FakeIntent, method: string): FakeIntent {
    const card = this.#cards.get(method);
    if (!card || card.customer !== intent.customer) {
      this.intents.delete(intent.id);
      throw invalidRequest(`No such PaymentMethod: '${method}'`, 'resource_missing');
    }
    const declined = RENEWAL_DECLINES[card.number];
    if (!declined) return this.#succeed(Object.assign(intent, { payment_method: method }));
    const failed = this.#fail(intent, declined);
    throw new StripeFault(402, { type: 'card_error', ...declined, payment_intent: failed });
  }

  /** With a card that was kept, while its owner is there. */
  #confirm(intent: FakeIntent, method: string): FakeIntent {
    if (['succeeded', 'processing', 'canceled'].includes(intent.status)) {
      const message = `This PaymentIntent's payment_method could not be updated: it is ${intent.status}.`;
      throw invalidRequest(message, 'payment_intent_unexpected_state');
    }
    const card = this.#cards.get(method);
    if (!card) {
      throw invalidRequest(`No such PaymentMethod: '${method}'`, 'resource_missing', 400, 'payment_method');
    }
    if (card.customer !== intent.customer) {
      const message = 'The provided PaymentMethod cannot be attached. It was detached from a Customer.';
      throw invalidRequest(message, undefined, 400, 'payment_method');
    }
    if (card.number === CARDS.asksAlways) {
      return Object.assign(intent, { payment_method: method, status: 'requires_action' });
    }
    const declined = RENEWAL_DECLINES[card.number];
    if (!declined) return this.#succeed(Object.assign(intent, { payment_method: method }));
    const failed = this.#fail(intent, declined);
    throw new StripeFault(402, { type: 'card_error', ...declined, payment_intent: failed });
  }

  /** The numbers of the cards that are attached to a customer. */
  cardsOf(id: string): string[] {
    return [...this.#cards.values()].filter(({ customer }) => customer === id).map(({ number }) => number);
  }

  /** As in Stripe's dashboard. */
  deleteCustomer(id: string): void {
    this.#customers.delete(id);
    for (const card of this.#cards.values()) if (card.customer === id) card.customer = null;
  }

  /** What Stripe's form in the browser does. */
  pay(clientSecret: string, number: string): FakeIntent {
    const intent = this.#bySecret(clientSecret);
    const declined = DECLINES[number];
    if (declined) return this.#fail(intent, declined);
    const method = newId('pm');
    this.#cards.set(method, { number, customer: intent.customer });
    Object.assign(intent, { payment_method: method, status: 'requires_action' });
    return ASKS.includes(number) ? intent : this.#succeed(intent);
  }

  /** What the bank's page does after that. */
  authenticate(clientSecret: string, approve: boolean): FakeIntent {
    const intent = this.#bySecret(clientSecret);
    if (approve) return this.#succeed(intent);
    return this.#fail(intent, { code: 'payment_intent_authentication_failure', message: DENIED });
  }

  #bySecret(clientSecret: string): FakeIntent {
    const intent = [...this.intents.values()].find(({ client_secret }) => client_secret === clientSecret);
    if (!intent) throw new Error('There is no such payment.');
    return intent;
  }
}
