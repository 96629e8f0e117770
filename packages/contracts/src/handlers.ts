import type { z } from 'zod';
import type { TakenBody } from './bytes.ts';
import type { Access, RecordOf, Row, Table, Tracked } from './kit.ts';

/** What every context has: who calls, and whose things the call is about; both null for someone signed out. */
export interface AnyContext {
  user: unknown;
  ownerId?: unknown;
  workspace?: unknown;
}

/** A context whose person is known. */
export type SignedIn<Ctx extends AnyContext> = Ctx & {
  user: NonNullable<Ctx['user']>;
  ownerId: NonNullable<Ctx['ownerId']>;
  workspace: NonNullable<Ctx['workspace']>;
};

type ContextFor<A extends Access, Ctx extends AnyContext> = A extends 'public' ? Ctx : SignedIn<Ctx>;

/** Why an answer is not of its call's making. */
export interface Origin {
  /** It was there already: REST answers 200, in the place of the row's 201. */
  found: boolean;
  /** It was given before, to the same `Idempotency-Key`. */
  replayed: boolean;
}

/** An answer that is not of its call's making, as a handler returns it. */
export class Earlier<T> {
  readonly output: T;
  readonly origin: Origin;

  constructor(output: T, origin: Origin) {
    this.output = output;
    this.origin = origin;
  }
}

/** Answers with what was there already. */
export function found<T>(output: T): Earlier<T> {
  return new Earlier(output, { found: true, replayed: false });
}

/** Answers as the same `Idempotency-Key` was answered before. */
export function replayed<T>(output: T): Earlier<T> {
  return new Earlier(output, { found: false, replayed: true });
}

/** The `Idempotency-Key` of a call. */
export interface RequestKey {
  value: string;
  /** Tells the inputs of calls with one key apart. */
  fingerprint: string;
}

/**
 * Runs a write at most once for the call's `Idempotency-Key`; without a key, simply. `apart` is what tells calls with one
 * key apart beside their inputs: the digest of a body.
 */
export type Once<Ctx> = <T>(
  work: (ctx: Ctx) => Promise<T | Earlier<T>>,
  apart?: string,
) => Promise<T | Earlier<T>>;

/** What a write is given besides; of use to rows with `keepsKeys` and to bytes, since others run inside of `once` as it is. */
export interface Keyed<Ctx> {
  key: RequestKey | undefined;
  once: Once<Ctx>;
}

type Answer<R extends Row> = R['kind'] extends 'subscription'
  ? AsyncIterable<Tracked<z.input<R['output']>>>
  : R['kind'] extends 'mutation' | 'bytes'
    ? Awaitable<z.input<R['output']> | Earlier<z.input<R['output']>>>
    : Awaitable<z.input<R['output']>>;

type Awaitable<T> = Promise<T> | T;

/** What a handler is given: the context (with a user where the row's access demands one) and valid input. */
export type HandlerArgs<R extends Row, Ctx extends AnyContext> = {
  ctx: ContextFor<R['access'], Ctx>;
  input: z.output<R['input']>;
} & (R['kind'] extends 'mutation' | 'bytes' ? Keyed<ContextFor<R['access'], Ctx>> : unknown) &
  (R['kind'] extends 'bytes' ? { body: TakenBody } : unknown) &
  (R['kind'] extends 'subscription'
    ? {
        /** Where a reconnecting subscriber left off: the id of the last event it has. */
        lastEventId: string | undefined;
      }
    : unknown);

/** Handlers of a table's procedures. */
export type Handlers<T extends Table, Ctx extends AnyContext> = {
  [P in keyof RecordOf<T>]: (args: HandlerArgs<T[P], Ctx>) => Answer<T[P]>;
};

/** Handlers of a table's bytes. */
export type BytesHandlers<T extends Table, Ctx extends AnyContext> = {
  [P in Exclude<keyof T, keyof RecordOf<T>>]: (args: HandlerArgs<T[P], Ctx>) => Answer<T[P]>;
};
