import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import type { StripeSettings } from '../../src/core/settings.ts';
import { newId, StripeBooks, StripeFault } from './stripe-server-books.ts';

/** How the server misbehaves: it ends connections, answers 500, or not at all. */
export type Trouble = 'gone' | 'failing' | 'silent';

interface Answer {
  status: number;
  body: object;
}

/** Speaks as much of Stripe's HTTP API as we use, on loopback, and refuses what Stripe would refuse. */
export class StripeServer extends StripeBooks {
  readonly settings: StripeSettings = {
    secretKey: 'sk_test_loopback0001',
    publishableKey: 'pk_test_loopback0001',
    webhookSecret: 'whsec_loopback0001',
    apiBase: undefined,
  };
  trouble: Trouble | null = null;
  /** "POST /v1/payment_intents" and so on, in order. */
  readonly calls: string[] = [];
  readonly #answers = new Map<string, Answer & { request: string }>();
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  async listen(): Promise<this> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    this.settings.apiBase = new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
    return this;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((closed) => this.#server.close(() => closed()));
  }

  /** An event, as the bytes that are signed. */
  event(type: string, object: object, id = newId('evt')): string {
    return JSON.stringify({ id, object: 'event', type, livemode: false, data: { object } });
  }

  /** The header `Stripe-Signature`; `age` in seconds. */
  sign(payload: string, options: { age?: number; secret?: string; scheme?: string } = {}): string {
    const { age = 0, secret = this.settings.webhookSecret, scheme = 'v1' } = options;
    const timestamp = Math.floor(Date.now() / 1000) - age;
    return Stripe.webhooks.generateTestHeaderString({ payload, secret, scheme, timestamp });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe');
    this.calls.push(`${request.method} ${url.pathname}`);
    const form = await text(request);
    if (this.trouble === 'gone') return void request.socket.destroy();
    if (this.trouble === 'silent') return;
    const { status, body } = this.#answerTo(request, url, form);
    response
      .writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') })
      .end(JSON.stringify(body));
  }

  #answerTo(request: IncomingMessage, url: URL, form: string): Answer {
    if (this.trouble === 'failing') {
      return { status: 500, body: { error: { type: 'api_error', message: 'An error occurred.' } } };
    }
    if (request.headers.authorization !== `Bearer ${this.settings.secretKey}`) {
      return { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } } };
    }
    return this.#answerOnce(request, url, form);
  }

  /** The first answer of a key, an error included, is given again; another request under it is refused. */
  #answerOnce(request: IncomingMessage, url: URL, form: string): Answer {
    const key = request.headers['idempotency-key'];
    const asked = `${request.method} ${url.pathname} ${form}`;
    const earlier = typeof key === 'string' ? this.#answers.get(key) : undefined;
    if (earlier && earlier.request !== asked) {
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      return { status: 400, body: { error: { type: 'idempotency_error', message } } };
    }
    const body = Object.fromEntries(new URLSearchParams(form));
    const answer = earlier ?? this.#attempt(request.method ?? '', url, body);
    if (typeof key === 'string' && request.method === 'POST') {
      this.#answers.set(key, { request: asked, ...answer });
    }
    return answer;
  }

  #attempt(method: string, url: URL, body: Record<string, string>): Answer {
    try {
      return { status: 200, body: structuredClone(this.route(method, url, body)) };
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error;
      return { status: error.status, body: structuredClone(error.body) };
    }
  }
}

export function startStripeServer(): Promise<StripeServer> {
  return new StripeServer().listen();
}
