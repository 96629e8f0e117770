import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import type { StripeSettings } from '../src/env.ts';
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

/** How the server misbehaves: it ends connections, answers 500, or not at all. */
export type Trouble = 'gone' | 'failing' | 'silent';

/** Speaks as much of Stripe's HTTP API as we use, and refuses what Stripe would refuse. */
export interface StripeServer {
  settings: StripeSettings;
  trouble: Trouble | null;
  /** "POST /v1/payment_intents" and so on, in order. */
  calls: string[];
  intents: Map<string, FakeIntent>;
  /** The numbers of the cards that are attached to a customer. */
  cardsOf(customer: string): string[];
  /** As in Stripe's dashboard. */
  deleteCustomer(id: string): void;
  /** What Stripe's form in the browser does. */
  pay(clientSecret: string, cardNumber: string): FakeIntent;
  /** What the bank's page does after that. */
  authenticate(clientSecret: string, approve: boolean): FakeIntent;
  /** An event, as the bytes that are signed. */
  event(type: string, intent: object, id?: string): string;
  /** The header `Stripe-Signature`; `age` in seconds. */
  sign(payload: string, options?: { age?: number; secret?: string; scheme?: string }): string;
  close(): Promise<void>;
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
  /^(amount|currency|customer|allowed_payment_method_types\[\d\]|setup_future_usage|metadata\[\w+\]|expand\[\d\]|payment_method|off_session|confirm|email|name)$/;

class StripeFault extends Error {
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

export async function startStripeServer(): Promise<StripeServer> {
  const intents = new Map<string, FakeIntent>();
  const customers = new Set<string>();
  const cards = new Map<string, { number: string; customer: string | null }>();
  const answers = new Map<string, { request: string; status: number; body: object }>();
  const calls: string[] = [];
  const settings: StripeSettings = {
    secretKey: 'sk_test_loopback0001',
    publishableKey: 'pk_test_loopback0001',
    webhookSecret: 'whsec_loopback0001',
    apiBase: undefined,
  };
  const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;

  function shown(intent: FakeIntent, expand: boolean): object {
    const card = intent.payment_method ? cards.get(intent.payment_method) : undefined;
    if (!expand || !card) return intent;
    const brand = card.number.startsWith('5') ? 'mastercard' : 'visa';
    const shownCard = { brand, last4: card.number.slice(-4), exp_month: 12, exp_year: 2099 };
    return { ...intent, payment_method: { id: intent.payment_method, type: 'card', card: shownCard } };
  }

  function fail(intent: FakeIntent, error: { code: string; message: string }): FakeIntent {
    return Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { ...error, type: 'card_error' },
    });
  }

  function succeed(intent: FakeIntent): FakeIntent {
    return Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      last_payment_error: null,
      latest_charge: { created: Math.floor(Date.now() / 1000) },
    });
  }

  function assertCustomer(id: string): void {
    if (customers.has(id)) return;
    throw invalidRequest(`No such customer: '${id}'`, 'resource_missing', 400, 'customer');
  }

  function createIntent(body: Body): FakeIntent {
    if (Number(body.amount) < 50)
      throw invalidRequest('Amount must be at least $0.50 usd.', 'amount_too_small');
    assertCustomer(body.customer ?? '');
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
    intents.set(id, intent);
    return body.confirm === 'true' ? chargeOffSession(intent, body.payment_method ?? '') : intent;
  }

  function chargeOffSession(intent: FakeIntent, method: string): FakeIntent {
    const card = cards.get(method);
    if (!card || card.customer !== intent.customer) {
      intents.delete(intent.id);
      throw invalidRequest(`No such PaymentMethod: '${method}'`, 'resource_missing');
    }
    const declined = RENEWAL_DECLINES[card.number];
    if (!declined) return succeed(Object.assign(intent, { payment_method: method }));
    const failed = fail(intent, declined);
    throw new StripeFault(402, { type: 'card_error', ...declined, payment_intent: failed });
  }

  function route(method: string, url: URL, body: Body): object {
    const [, , resource, id = '', action] = url.pathname.split('/');
    const unknown = Object.keys(body).find((name) => !KNOWN.test(name));
    if (unknown) throw invalidRequest(`Received unknown parameter: ${unknown}`, 'parameter_unknown');
    const expand = [...url.searchParams.keys(), ...Object.keys(body)].some((name) =>
      name.startsWith('expand'),
    );
    if (resource === 'customers' && method === 'POST') {
      const customer = newId('cus');
      customers.add(customer);
      return { id: customer, object: 'customer' };
    }
    if (resource === 'payment_methods' && action === 'detach') {
      const card = cards.get(id);
      if (!card?.customer) throw invalidRequest('The payment method is not attached to a customer.');
      card.customer = null;
      return { id, object: 'payment_method', customer: null };
    }
    if (resource !== 'payment_intents') throw invalidRequest('Unrecognized request URL', undefined, 404);
    if (method === 'POST') return shown(createIntent(body), expand);
    if (id === '') {
      const owner = url.searchParams.get('customer') ?? '';
      assertCustomer(owner);
      const own = [...intents.values()].filter(({ customer }) => customer === owner);
      return { object: 'list', has_more: false, data: own.reverse().map((intent) => shown(intent, expand)) };
    }
    const intent = intents.get(id);
    if (!intent) throw invalidRequest(`No such payment_intent: '${id}'`, 'resource_missing', 404);
    return shown(intent, expand);
  }

  /** The first answer of a key, an error included, is given again; another request under it is refused. */
  function answerTo(request: IncomingMessage, url: URL, form: string): { status: number; body: object } {
    const key = request.headers['idempotency-key'];
    const asked = `${request.method} ${url.pathname} ${form}`;
    const earlier = typeof key === 'string' ? answers.get(key) : undefined;
    if (earlier && earlier.request !== asked) {
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      return { status: 400, body: { error: { type: 'idempotency_error', message } } };
    }
    const answer =
      earlier ?? attempt(request.method ?? '', url, Object.fromEntries(new URLSearchParams(form)));
    if (typeof key === 'string' && request.method === 'POST') answers.set(key, { request: asked, ...answer });
    return answer;
  }

  function attempt(method: string, url: URL, body: Body): { status: number; body: object } {
    try {
      return { status: 200, body: structuredClone(route(method, url, body)) };
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error;
      return { status: error.status, body: structuredClone(error.body) };
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe');
    calls.push(`${request.method} ${url.pathname}`);
    const form = await text(request);
    if (fake.trouble === 'gone') return void request.socket.destroy();
    if (fake.trouble === 'silent') return;
    const authorized = request.headers.authorization === `Bearer ${settings.secretKey}`;
    const { status, body } =
      fake.trouble === 'failing'
        ? { status: 500, body: { error: { type: 'api_error', message: 'An error occurred.' } } }
        : authorized
          ? answerTo(request, url, form)
          : { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } } };
    response
      .writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') })
      .end(JSON.stringify(body));
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  settings.apiBase = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  function bySecret(clientSecret: string): FakeIntent {
    const intent = [...intents.values()].find(({ client_secret }) => client_secret === clientSecret);
    if (!intent) throw new Error('There is no such payment.');
    return intent;
  }

  const fake: StripeServer = {
    ...{ settings, trouble: null, calls, intents },
    cardsOf: (id) =>
      [...cards.values()].filter(({ customer }) => customer === id).map(({ number }) => number),
    deleteCustomer(id) {
      customers.delete(id);
      for (const card of cards.values()) if (card.customer === id) card.customer = null;
    },
    pay(clientSecret, number) {
      const intent = bySecret(clientSecret);
      const declined = DECLINES[number];
      if (declined) return fail(intent, declined);
      const method = newId('pm');
      cards.set(method, { number, customer: intent.customer });
      Object.assign(intent, { payment_method: method, status: 'requires_action' });
      return ASKS.includes(number) ? intent : succeed(intent);
    },
    authenticate(clientSecret, approve) {
      const intent = bySecret(clientSecret);
      if (approve) return succeed(intent);
      return fail(intent, { code: 'payment_intent_authentication_failure', message: DENIED });
    },
    event: (type, object, id = newId('evt')) =>
      JSON.stringify({ id, object: 'event', type, livemode: false, data: { object } }),
    sign: (payload, { age = 0, secret = settings.webhookSecret, scheme = 'v1' } = {}) =>
      Stripe.webhooks.generateTestHeaderString({
        ...{ payload, secret, scheme, timestamp: Math.floor(Date.now() / 1000) - age },
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
  return fake;
}
