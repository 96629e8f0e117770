import {
  type AnyTRPCProcedure,
  initTRPC,
  type TRPCDefaultErrorShape,
  TRPCError,
  tracked,
} from '@trpc/server';
import { z } from 'zod';
import type { TakenBody } from './bytes.ts';
import {
  type AnyContext,
  type BytesHandlers,
  Earlier,
  type Handlers,
  type Keyed,
  type Origin,
} from './handlers.ts';
import type { ErrorShape, RecordOf, Row, Table, Tracked } from './kit.ts';

export * from './handlers.ts';

/** One call on its way to its handler. */
export interface Call<Caller> {
  row: Row;
  /** `domain.procedure`. */
  path: string;
  /** Who calls, as the door knows it: tRPC's context. */
  caller: Caller;
  /** Aborts when the answer, or the stream, is over. */
  signal: AbortSignal | undefined;
}

/** Milliseconds. */
export interface StreamTimes {
  /** Between two signs of life, which keep proxies from cutting a silent stream. */
  ping: number;
  /** After which a stream is cut; its reader comes back by itself, and is asked again who it is. */
  longest: number;
}

const STREAMS: StreamTimes = { ping: 15_000, longest: 5 * 60_000 };

export interface ImplementOptions<Caller, Ctx extends AnyContext> {
  /** Runs before the input is read; throws to refuse. */
  guard(call: Call<Caller> & { rawInput(): Promise<unknown> }): Promise<void>;
  /** The context of a call's handler. */
  contextOf(call: Call<Caller>): Ctx;
  /** Runs around the handler of every mutation and of bytes, with valid input. */
  around(
    call: Call<Caller> & { ctx: Ctx; input: unknown },
    handle: (ctx: Ctx, keyed: Keyed<Ctx>) => Promise<unknown>,
  ): Promise<unknown>;
  /** The body of a call that takes bytes. */
  bodyOf?(caller: Caller): TakenBody | undefined;
  /** Is told that the answer to a call is an earlier one. */
  earlier?(caller: Caller, origin: Origin): void;
  /** Turns whatever a guard, a handler or the input's check threw into the error that the caller sees. */
  translate(error: unknown, row: Row): TRPCError;
  /** Absent: those of `STREAMS`. */
  streams?: StreamTimes;
  formatError(args: {
    shape: TRPCDefaultErrorShape;
    error: TRPCError;
    caller: Caller | undefined;
  }): ErrorShape;
}

/** A row without input does not look at what it is sent, at either door. */
const NOTHING = z.unknown().transform(() => undefined);

/** By zod's synchronous check, which it compiles; none of the contract's schemas waits for anything. */
function inputOf(schema: z.ZodType, raw: unknown): unknown {
  try {
    return schema.parse(raw);
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause });
  }
}

function outputOf(schema: z.ZodType, answer: unknown): unknown {
  try {
    return schema.parse(answer);
  } catch (cause) {
    throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'Output validation failed', cause });
  }
}

/** What tRPC gives with each call. */
interface Given {
  ctx: object;
  path: string;
  signal: AbortSignal | undefined;
  input: unknown;
}

/** A handler once its row is erased: what it gives follows from what it is given. */
interface AnyHandler {
  (args: { ctx: unknown; input: unknown; lastEventId: string | undefined }): AsyncIterable<Tracked<unknown>>;
  (args: { ctx: unknown; input: unknown }): unknown;
}

/** tRPC adds to a subscription's input where a client resumes. */
function lastEventIdOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('lastEventId' in input)) return undefined;
  return typeof input.lastEventId === 'string' ? input.lastEventId : undefined;
}

/** tRPC's own inference over a generic context does not resolve, so it carries the caller unread. */
function callerOf<Caller>(ctx: object): Caller {
  // Every door creates it as a `Caller`.
  return ctx as Caller;
}

/** Makes what a procedure of each kind does when it is called. */
function createRuns<Caller, Ctx extends AnyContext>(options: ImplementOptions<Caller, Ctx>) {
  const callOf = (row: Row, { ctx, path, signal }: Omit<Given, 'input'>): Call<Caller> => ({
    ...{ row, path, signal },
    caller: callerOf(ctx),
  });
  return {
    /** Refuses, or gives the valid input. */
    async admit(row: Row, given: Omit<Given, 'input'>, rawInput: () => Promise<unknown>): Promise<unknown> {
      await options.guard({ ...callOf(row, given), rawInput });
      return inputOf(row.input instanceof z.ZodVoid ? NOTHING : row.input, await rawInput());
    },
    query: (row: Row, handle: AnyHandler, { input, ...given }: Given): unknown =>
      handle({ ctx: options.contextOf(callOf(row, given)), input }),
    async mutation(row: Row, handle: AnyHandler, { input, ...given }: Given): Promise<unknown> {
      const call = callOf(row, given);
      const ctx = options.contextOf(call);
      const body = options.bodyOf?.(call.caller);
      const answer = await options.around({ ...call, ctx, input }, async (inner, keyed) =>
        handle({ ctx: inner, input, ...keyed, ...(body && { body }) }),
      );
      if (!(answer instanceof Earlier)) return answer;
      options.earlier?.(call.caller, answer.origin);
      return answer.output;
    },
    async *subscription(row: Row, handle: AnyHandler, { input, ...given }: Given) {
      const ctx = options.contextOf(callOf(row, given));
      try {
        for await (const event of handle({ ctx, input, lastEventId: lastEventIdOf(input) })) {
          yield tracked(event.id, row.output.parse(event.data));
        }
      } catch (error) {
        throw options.translate(error, row);
      }
    },
  };
}

/**
 * Makes `implement`, which turns a domain's table and its handlers into a tRPC router. A missing, extra or
 * mistyped handler is a type error at the handler; the guard and the wrapper run for every row alike.
 */
export function createImplement<Caller, Ctx extends AnyContext>(options: ImplementOptions<Caller, Ctx>) {
  const { ping, longest } = options.streams ?? STREAMS;
  const runs = createRuns(options);
  const t = initTRPC.context<object>().create({
    isDev: false,
    sse: { ping: { enabled: true, intervalMs: ping }, maxDurationMs: longest },
    errorFormatter: ({ shape, error, ctx }) =>
      options.formatError({ shape, error, caller: ctx && callerOf<Caller>(ctx) }),
  });

  /**
   * Guard and checks are one middleware: tRPC copies a call's options for each that there is, which costs more than most
   * of what they do.
   */
  function procedureOf(row: Row, handle: AnyHandler) {
    const guarded = t.procedure.use(async ({ next, getRawInput, ...given }) => {
      try {
        const result = await next({ input: await runs.admit(row, given, getRawInput) });
        if (!result.ok) throw result.error;
        return row.kind === 'subscription' ? result : { ...result, data: outputOf(row.output, result.data) };
      } catch (error) {
        throw options.translate(error, row);
      }
    });
    if (row.kind === 'query') return guarded.query((given) => runs.query(row, handle, given));
    if (row.kind === 'mutation' || row.kind === 'bytes') {
      return guarded.mutation((given) => runs.mutation(row, handle, given));
    }
    return guarded.subscription((given) => runs.subscription(row, handle, given));
  }

  function proceduresOf(table: Table, handlers: object, isWanted: (row: Row) => boolean) {
    // The mapped types held each handler to its row, and make the record of procedures from the table again.
    const erased: Partial<Record<string, AnyHandler>> = { ...handlers };
    const wanted = Object.entries(table).filter(([, row]) => isWanted(row));
    const procedures = wanted.map(([name, row]) => {
      const handle = erased[name];
      if (!handle) throw new Error(`The procedure ${name} has no handler.`);
      return [name, procedureOf(row, handle)] as const;
    });
    return Object.fromEntries(procedures);
  }

  return {
    implement<T extends Table>(table: T, handlers: Handlers<T, Ctx>): RecordOf<T> {
      return proceduresOf(table, handlers, ({ kind }) => kind !== 'bytes') as unknown as RecordOf<T>;
    },
    /** A table's bytes as procedures, for the REST door alone: what they take and answer is no JSON. */
    implementBytes<T extends Table>(
      table: T,
      handlers: BytesHandlers<T, Ctx>,
    ): Record<string, AnyTRPCProcedure> {
      return proceduresOf(table, handlers, ({ kind }) => kind === 'bytes');
    },
    router: t.router,
  };
}
