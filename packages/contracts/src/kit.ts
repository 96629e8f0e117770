import type {
  TRPCBuiltRouter,
  TRPCDefaultErrorData,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';
import { z } from 'zod';
import type { BytesAnswer, Gives, Takes } from './bytes.ts';
import type { Permission } from './permissions.ts';

export type { Body, ByteRange, BytesAnswer, Gives, TakenBody, Takes } from './bytes.ts';
export type { Permission } from './permissions.ts';

/** Who may call: anyone, anyone signed in, or admins only. It is the guard, and it types `ctx.user`. */
export type Access = 'public' | 'user' | 'admin';

/** A documented REST address, for example `DELETE /api/projects/{id}`; `{name}` fills the input's `name`. */
export type Route = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${'api' | 'files'}/${string}`;

export type Kind = 'query' | 'mutation' | 'subscription' | 'bytes';

/** One procedure of the API: everything that either door, the documentation and the clients know of it. */
export interface Row<
  K extends Kind = Kind,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  A extends Access = Access,
> {
  readonly kind: K;
  readonly summary: string;
  readonly route?: Route | undefined;
  readonly access: A;
  /** What it needs of its caller in the workspace that it is about. */
  readonly needs: Permission;
  /** The member of the input that names the workspace that it is about; absent: it is the call's own. */
  readonly workspaceField?: string | undefined;
  /** Whether nobody looks who calls, so that the answer may be kept for anyone. */
  readonly anonymous: boolean;
  readonly input: I;
  /** The answer; for a subscription, one event; for bytes, what describes them. */
  readonly output: O;
  /** What bytes it answers; absent where the answer is JSON of `output`. */
  readonly gives?: Gives | undefined;
  /** The body that it takes as it is, all other input being in the address; absent where the body is JSON. */
  readonly takes?: Takes | undefined;
  /** What its refusals mean, by status, where the general words do not say it. */
  readonly refusals: Readonly<Record<number, string>>;
  /** HTTP status of success through REST: 201 where something was created, else 200. */
  readonly status: 200 | 201;
  /** Whether a repetition finds what is there and answers 200 with it, in the place of 201. */
  readonly findsExisting: boolean;
  /** Whether it is refused with 402 until it has been paid for. */
  readonly asksPayment: boolean;
  /** Calls allowed in a minute to one user (or one address, signed out). */
  readonly perMinute: number;
  /** The row, `domain.procedure`, with whose calls and `Idempotency-Key`s its own are counted and kept; absent: itself. */
  readonly countedWith?: string | undefined;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  /** Whether only someone signed in may call: an access token may not, whatever its scope. */
  readonly sessionOnly: boolean;
  /** Whether whoever is signed in must have proved within the last hour who they are; access tokens are not asked. */
  readonly fresh: boolean;
  /** Whether the answer holds a secret: it is kept nowhere in the clear, and an access token for reading does not get it. */
  readonly secret: boolean;
  /** Whether the domain keeps `Idempotency-Key`s itself, with their effects and for as long as these last. */
  readonly keepsKeys: boolean;
  /** Whether it is a write by its kind alone, or of what only its caller sees, of which no record is kept. */
  readonly changesNothing: boolean;
  /** Whether the assistant may call it, as the person it answers: reads without secrets only. */
  readonly forAssistant: boolean;
  /** Members of its answer, or of each row of it, that the assistant is not given: long, or nobody else's business. */
  readonly withheld: readonly string[];
}

const Bytes = z.custom<BytesAnswer>();

export type Table = Readonly<Record<string, Row>>;
export type Contract = Readonly<Record<string, Table>>;

export interface Spec<I, O, A> {
  summary: string;
  route?: Route;
  access?: A;
  needs?: Permission;
  workspaceField?: string;
  anonymous?: boolean;
  input?: I;
  output: O;
  gives?: Gives;
  takes?: Takes;
  refusals?: Readonly<Record<number, string>>;
  status?: 200 | 201;
  findsExisting?: boolean;
  asksPayment?: boolean;
  perMinute?: number;
  countedWith?: string;
  bodyLimit?: number;
  sessionOnly?: boolean;
  fresh?: boolean;
  secret?: boolean;
  keepsKeys?: boolean;
  changesNothing?: boolean;
  forAssistant?: boolean;
  withheld?: readonly string[];
}

const DEFAULT_PER_MINUTE = 300;
/** Bytes of a request's body, where a row does not say otherwise. */
export const DEFAULT_BODY_LIMIT = 64 * 1024;

/** What a row needs that does not say it: to see for a read, to build for a write. */
function usualNeed(row: { kind: Kind; access?: Access; route?: Route; secret?: boolean }): Permission {
  if (row.access !== undefined && row.access !== 'user') return 'account';
  if (writes(row)) return 'build';
  return row.secret ? 'secrets' : 'view';
}

/** A table of rows that are about the caller themself. */
export function ofAccount<T extends object>(table: T): T {
  return withNeed(table, () => 'account');
}

/** A table whose writes need something else than to build. */
export function writesNeed<T extends object>(need: Permission, table: T): T {
  return withNeed(table, (row) => (writes(row) && row.access === 'user' ? need : row.needs));
}

/** Its tables are typed as any object: what they are inferred from would otherwise lose each row's own type. */
function withNeed<T extends object>(table: T, needOf: (row: Row) => Permission): T {
  const rows = (Object.entries(table) as [string, Row][]).map(([name, row]) => [
    name,
    { ...row, needs: needOf(row) },
  ]);
  // Every row is what it was but for what it needs.
  return Object.fromEntries(rows) as T;
}

/** Makes rows of a kind: what a spec leaves out has the default's value, and its type. */
function rowsOf<K extends Kind>(kind: K) {
  function row<O extends z.ZodType, I extends z.ZodType = z.ZodVoid, A extends Access = 'user'>(
    spec: Spec<I, O, A>,
  ): Row<K, I, O, A>;
  function row(spec: Spec<z.ZodType, z.ZodType, Access>): Row<K> {
    return {
      kind,
      summary: spec.summary,
      route: spec.route,
      access: spec.access ?? 'user',
      needs: spec.needs ?? usualNeed({ kind, ...spec }),
      workspaceField: spec.workspaceField,
      anonymous: spec.anonymous ?? false,
      input: spec.input ?? z.void(),
      output: spec.output,
      gives: spec.gives,
      takes: spec.takes,
      refusals: spec.refusals ?? {},
      status: spec.status ?? 200,
      findsExisting: spec.findsExisting ?? false,
      asksPayment: spec.asksPayment ?? false,
      perMinute: spec.perMinute ?? DEFAULT_PER_MINUTE,
      countedWith: spec.countedWith,
      bodyLimit: spec.bodyLimit ?? DEFAULT_BODY_LIMIT,
      sessionOnly: spec.sessionOnly ?? false,
      fresh: spec.fresh ?? false,
      secret: spec.secret ?? false,
      keepsKeys: spec.keepsKeys ?? false,
      changesNothing: spec.changesNothing ?? false,
      forAssistant: spec.forAssistant ?? false,
      withheld: spec.withheld ?? [],
    };
  }
  return row;
}

/** Whether a row changes anything. */
export function writes({ kind, route }: { kind: Kind; route?: Route | undefined }): boolean {
  return kind === 'mutation' || (kind === 'bytes' && !route?.startsWith('GET '));
}

/** Whether an access token that can only read is refused: each write, and whatever would give it more than that. */
export function needsWriteScope(row: Pick<Row, 'kind' | 'route' | 'secret'>): boolean {
  return writes(row) || row.secret;
}

/** A read: changes nothing, may be batched and repeated. */
export const query = rowsOf('query');
/** A write. */
export const mutation = rowsOf('mutation');
/** A live stream of events with ids; reads only, since clients reconnect by themselves. */
export const subscription = rowsOf('subscription');
/** Bytes to send or to stream, through REST alone: `gives` says which. */
export const bytes = <I extends z.ZodType = z.ZodVoid, A extends Access = 'user'>(
  spec: Omit<Spec<I, typeof Bytes, A>, 'output'> & { route: Route; gives: Gives },
) => upload({ ...spec, output: Bytes });
/** Bytes to take, through REST alone: `takes` says which; the answer is JSON. */
export const upload = rowsOf('bytes');

/** What every refused call carries beside its message, through tRPC as `error.data`. */
export interface ErrorData extends TRPCDefaultErrorData {
  /** Our own upper-case code, for example `PLAN_LIMIT_REACHED`. */
  reason: string;
  requestId: string;
  /** For `VALIDATION`: the input's faulty fields. */
  fields?: FieldError[] | undefined;
  /** For some conflicts: the id of the caller's own thing that is in the way. */
  existingId?: string | undefined;
}

export interface FieldError {
  /** Dotted path in the input, for example `records.0.ttl`. */
  path: string;
  message: string;
}

export interface ErrorShape {
  message: string;
  code: number;
  data: ErrorData;
}

// biome-ignore lint/suspicious/noConfusingVoidType: tRPC reads `void` as: may be called without an argument
type InputOf<I extends z.ZodType> = undefined extends z.input<I> ? z.input<I> | void : z.input<I>;

type Definition<I extends z.ZodType, Out> = { input: InputOf<I>; output: Out; meta: object };

/** An event as tRPC's `tracked()` sends it: the id is where a reconnecting client resumes. */
export interface Tracked<T> {
  id: string;
  data: T;
}

export type ProcedureOf<R> =
  R extends Row<infer K, infer I, infer O>
    ? K extends 'query'
      ? TRPCQueryProcedure<Definition<I, z.output<O>>>
      : K extends 'mutation'
        ? TRPCMutationProcedure<Definition<I, z.output<O>>>
        : TRPCSubscriptionProcedure<Definition<I, AsyncIterable<Tracked<z.output<O>>>>>
    : never;

/** The procedures of a table: bytes are none. */
export type RecordOf<T extends Table> = {
  [P in keyof T as T[P]['kind'] extends 'bytes' ? never : P]: ProcedureOf<T[P]>;
};

export type RouterOf<C extends Contract> = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  { [D in keyof C]: RecordOf<C[D]> }
>;
