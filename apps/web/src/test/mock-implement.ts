import { type Inputs, MAX_PAGE } from '@nephos/contracts';
import { createImplement } from '@nephos/contracts/implement';
import { TRPCError } from '@trpc/server';
import type { MockRefusal, MockWorld } from './mock-world.ts';

export class Refused extends TRPCError {
  readonly refusal: MockRefusal;

  constructor(refusal: MockRefusal) {
    super({ code: refusal.code, message: refusal.message });
    this.refusal = refusal;
  }
}

const NOT_FOUND: MockRefusal = { code: 'NOT_FOUND', reason: 'NOT_FOUND', message: 'Not found.' };

interface MockContext {
  world: MockWorld;
  user: MockWorld['user'];
}

export const { implement, router } = createImplement<MockContext, MockContext>({
  async guard({ path, caller: { world }, rawInput }) {
    await world.delays[path];
    const refusal = world.refusals[path];
    if (refusal) throw new Refused(refusal);
    world.calls.push({ path, input: await rawInput() });
  },
  contextOf: ({ caller }) => caller,
  around: ({ ctx }, handle) => handle(ctx, { key: undefined, once: (work) => work(ctx) }),
  translate: (error) =>
    error instanceof TRPCError ? error : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error }),
  formatError({ shape, error }) {
    const refusal = error instanceof Refused ? error.refusal : undefined;
    return {
      ...shape,
      data: {
        ...shape.data,
        reason: refusal?.reason ?? 'INTERNAL',
        requestId: 'test',
        ...(refusal?.fields && { fields: refusal.fields }),
      },
    };
  },
});

/** A row of the world, or the refusal that a missing one gets. */
export function found<T extends { id: string }>(rows: readonly T[], id: string): T {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new Refused(NOT_FOUND);
  return row;
}

/** The page of a newest-first list that was asked for. */
export function pageOf<T extends { id: string }>(
  rows: readonly T[],
  { limit = MAX_PAGE, cursor, search = '', sort }: Inputs['containers']['list'] = {},
): T[] {
  const found = rows.filter((row) => JSON.stringify(row).toLowerCase().includes(search.toLowerCase()));
  if (sort === 'oldest') found.reverse();
  const from = cursor === undefined ? 0 : found.findIndex(({ id }) => id === cursor) + 1;
  return found.slice(from, from + limit);
}

export const success = { success: true } as const;

/** Streams are driven by the tests, see `FakeEventSource`. */
export async function* silence() {}

/** For what no test needs an answer to: it is refused, or not asked for. */
export function unanswered(): never {
  throw new Error('The mock API has no answer to this.');
}
