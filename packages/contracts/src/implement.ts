import { initTRPC, type TRPCDefaultErrorShape, type TRPCError, tracked } from '@trpc/server';
import { z } from 'zod';
import type { Access, ErrorShape, RecordOf, Row, Table, Tracked } from './kit.ts';

type ContextFor<A extends Access, Ctx extends { user: unknown }> = A extends 'public'
  ? Ctx
  : Ctx & { user: NonNullable<Ctx['user']> };

type Answer<R extends Row> = R['kind'] extends 'subscription'
  ? AsyncIterable<Tracked<z.input<R['output']>>>
  : Promise<z.input<R['output']>> | z.input<R['output']>;

/** What a handler is given: the context (with a user where the row's access demands one) and valid input. */
export interface HandlerArgs<R extends Row, Ctx extends { user: unknown }> {
  ctx: ContextFor<R['access'], Ctx>;
  input: z.output<R['input']>;
  /** Where a reconnecting subscriber left off: the id of the last event it has. */
  lastEventId: string | undefined;
  signal: AbortSignal | undefined;
}

export type Handlers<T extends Table, Ctx extends { user: unknown }> = {
  [P in keyof T]: (args: HandlerArgs<T[P], Ctx>) => Answer<T[P]>;
};

/** One call on its way to its handler. */
export interface Call<Ctx> {
  row: Row;
  /** `domain.procedure`. */
  path: string;
  ctx: Ctx;
}

/** Milliseconds. */
export interface StreamTimes {
  /** Between two signs of life, which keep proxies from cutting a silent stream. */
  ping: number;
  /** After which a stream is cut; its reader comes back by itself, and is asked again who it is. */
  longest: number;
}

const STREAMS: StreamTimes = { ping: 15_000, longest: 5 * 60_000 };

export interface ImplementOptions<Ctx> {
  /** Runs before the input is read; throws to refuse. `signal` aborts when the answer, or the stream, is over. */
  guard(call: Call<Ctx> & { rawInput(): Promise<unknown>; signal: AbortSignal | undefined }): Promise<void>;
  /** Runs around every mutation's handler, with valid input. */
  around(call: Call<Ctx> & { input: unknown }, run: (ctx: Ctx) => Promise<unknown>): Promise<unknown>;
  /** Turns whatever a guard, a handler or the input's check threw into the error that the caller sees. */
  translate(error: unknown, row: Row): TRPCError;
  /** Absent: those of `STREAMS`. */
  streams?: StreamTimes;
  formatError(args: { shape: TRPCDefaultErrorShape; error: TRPCError; ctx: Ctx | undefined }): ErrorShape;
}

/** A row without input does not look at what it is sent, at either door. */
const NOTHING = z.unknown().transform(() => undefined);

/**
 * Makes `implement`, which turns a domain's table and its handlers into a tRPC router. A missing, extra or
 * mistyped handler is a type error at the handler; the guard and the wrapper run for every row alike.
 */
export function createImplement<Ctx extends { user: unknown }>(options: ImplementOptions<Ctx>) {
  const { ping, longest } = options.streams ?? STREAMS;
  // tRPC's own inference over a generic context does not resolve, so it carries the context unread.
  const t = initTRPC.context<object>().create({
    isDev: false,
    sse: { ping: { enabled: true, intervalMs: ping }, maxDurationMs: longest },
    errorFormatter: ({ shape, error, ctx }) =>
      options.formatError({ shape, error, ctx: ctx as Ctx | undefined }),
  });

  function procedureOf(row: Row, handler: (args: never) => unknown) {
    const guarded = t.procedure
      .use(async ({ ctx, path, next, getRawInput, signal }) => {
        try {
          await options.guard({ row, path, ctx: ctx as Ctx, rawInput: getRawInput, signal });
        } catch (error) {
          throw options.translate(error, row);
        }
        const result = await next();
        if (!result.ok) throw options.translate(result.error, row);
        return result;
      })
      .input(row.input instanceof z.ZodVoid ? NOTHING : row.input);
    // The mapped types of `Handlers` hold each handler to its row; inside this loop the rows are erased.
    const call = handler as (args: unknown) => unknown;
    const lastEventId = undefined;
    if (row.kind === 'query') {
      return guarded
        .output(row.output)
        .query(({ ctx, input, signal }) => call({ ctx, input, signal, lastEventId }));
    }
    if (row.kind === 'mutation') {
      return guarded
        .output(row.output)
        .mutation(({ ctx, input, signal, path }) =>
          options.around({ row, path, ctx: ctx as Ctx, input }, async (inner) =>
            call({ ctx: inner, input, signal, lastEventId }),
          ),
        );
    }
    return guarded.subscription(async function* ({ ctx, input, signal }) {
      const resumed = (input as { lastEventId?: string } | undefined)?.lastEventId;
      const events = call({ ctx, input, signal, lastEventId: resumed }) as AsyncIterable<Tracked<unknown>>;
      try {
        for await (const event of events) yield tracked(event.id, row.output.parse(event.data));
      } catch (error) {
        throw options.translate(error, row);
      }
    });
  }

  function implement<T extends Table>(table: T, handlers: Handlers<T, Ctx>): RecordOf<T> {
    const procedures = Object.entries(table).map(([name, row]) => {
      const handler = handlers[name as keyof T] as (args: never) => unknown;
      return [name, procedureOf(row, handler)] as const;
    });
    return Object.fromEntries(procedures) as unknown as RecordOf<T>;
  }

  return { implement, router: t.router };
}
