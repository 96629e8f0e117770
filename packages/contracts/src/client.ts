import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { MAX_BATCH, TRPC_PATH } from './constants.ts';
import type { AppRouter } from './index.ts';

/** Any class that speaks `EventSource`; not tied to the browser's own types. */
type EventSourceClass = NonNullable<Parameters<typeof httpSubscriptionLink>[0]['EventSource']>;

export interface ClientOptions {
  /** The console's address, for example `https://console.example.com`; '' in a browser on that origin. */
  url: string;
  /** Id of the workspace that calls are made in; absent: the token's, or the session's. */
  workspace?: string | undefined;
  /** Sent with every call. */
  headers?: () => Record<string, string>;
  /** Where the platform has no `EventSource` (Node), a class that speaks it; only streams need it. */
  EventSource?: EventSourceClass;
  /** Sends the calls; by default the platform's own. */
  fetch?: typeof fetch;
}

/** What a call can be given beside its input, as in `mutate(input, { context })`. */
export interface CallContext {
  /** The same for every attempt at one write, which then has its effect once; `A-Z`, `a-z`, `0-9`, `_` and `-`. */
  idempotencyKey?: string;
}

/** 128 random bits. Not `crypto.randomUUID`, which browsers keep from a console that is reached by plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The links of a client: reads travel in batches, each write alone with an `Idempotency-Key` of its own unless its
 * `CallContext` holds one, streams over server-sent events.
 */
export function createLinks({ url, workspace, EventSource, fetch: send, ...options }: ClientOptions) {
  const endpoint = `${url}${TRPC_PATH}`;
  const headers = () => ({ ...(workspace && { 'x-workspace': workspace }), ...options.headers?.() });
  return [
    splitLink({
      condition: (op) => op.type === 'subscription',
      true: httpSubscriptionLink<AppRouter, EventSourceClass>({
        url: endpoint,
        // No headers: an `EventSource` sends none of ours.
        ...(workspace && { connectionParams: { workspace } }),
        ...(EventSource && { EventSource }),
      }),
      false: splitLink({
        condition: (op) => op.type === 'mutation',
        true: httpLink<AppRouter>({
          url: endpoint,
          // A write without input has no body, which tRPC's server does not take for JSON.
          fetch: (address, init) => (send ?? fetch)(address, { ...init, body: init?.body ?? '{}' }),
          headers: ({ op }) => {
            const { idempotencyKey = newIdempotencyKey() }: CallContext = op.context;
            return { ...headers(), 'idempotency-key': idempotencyKey };
          },
        }),
        false: httpBatchLink<AppRouter>({
          url: endpoint,
          maxItems: MAX_BATCH,
          headers,
          ...(send && { fetch: send }),
        }),
      }),
    }),
  ];
}

/** A typed client of the API for another TypeScript service. */
export function createClient(options: ClientOptions) {
  return createTRPCClient<AppRouter>({ links: createLinks(options) });
}
