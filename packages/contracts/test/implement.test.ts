import { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createImplement } from '../src/implement.ts';
import { subscription } from '../src/kit.ts';

const clocks = { tick: subscription({ summary: 'One event, then silence', output: z.string() }) };

/** A router whose stream says `tick` once and then nothing, until nobody listens. */
function silentRouter(onEnd: () => void) {
  const { implement, router } = createImplement<
    { user: string },
    { user: string; signal: AbortSignal | undefined }
  >({
    guard: async () => {},
    contextOf: ({ caller, signal }) => ({ ...caller, signal }),
    around: ({ ctx }, handle) => handle(ctx, { key: undefined, once: (work) => work(ctx) }),
    translate: (error) => (error instanceof TRPCError ? error : new TRPCError({ code: 'BAD_REQUEST' })),
    formatError: ({ shape }) => ({ ...shape, data: { ...shape.data, reason: '', requestId: '' } }),
    streams: { ping: 20, longest: 600 },
  });
  async function* tick({ ctx: { signal } }: { ctx: { signal: AbortSignal | undefined } }) {
    yield { id: '1', data: 'tick' };
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    onEnd();
  }
  return router({ clocks: implement(clocks, { tick }) });
}

test('a silent stream shows signs of life, and is cut so that its reader comes back', async () => {
  let ended = false;
  const router = silentRouter(() => {
    ended = true;
  });
  const answer = await fetchRequestHandler({
    endpoint: '/trpc',
    req: new Request('http://localhost/trpc/clocks.tick', { headers: { accept: 'text/event-stream' } }),
    router,
    createContext: () => ({ user: 'ada' }),
  });
  const events = await answer.text();
  expect(events).toContain('data: "tick"');
  expect(events).toContain('event: ping');
  // That event would tell the reader not to come back.
  expect(events).not.toContain('event: return');
  expect(ended).toBe(true);
});
