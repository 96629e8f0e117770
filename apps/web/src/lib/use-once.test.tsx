import type { AppRouter } from '@nephos/contracts';
import type { CallContext } from '@nephos/contracts/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { refused, unanswered } from './rest-errors.ts';
import { useOnce } from './use-once.ts';

afterEach(cleanup);

interface Call {
  input: string;
  key: string | undefined;
  answer: PromiseWithResolvers<string>;
}

/** A write whose every attempt waits for the test to answer it. */
function setUp() {
  const calls: Call[] = [];
  function write(input: string, { context }: { context: CallContext }) {
    const call = { input, key: context.idempotencyKey, answer: Promise.withResolvers<string>() };
    calls.push(call);
    return call.answer.promise;
  }
  const queryClient = new QueryClient();
  const { result } = renderHook(() => useOnce(write), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  });
  const start = (input: string) => act(async () => void result.current.mutateAsync(input).catch(() => {}));
  const fail = (call: Call | undefined, error: Error) => act(async () => call?.answer.reject(error));
  return { calls, result, start, fail };
}

const failure = (status: number) =>
  // A `CallError` that can be thrown: both make one.
  refused(status, { message: 'No.', code: 'NO', requestId: '' }) as TRPCClientError<AppRouter>;

it('joins a second click to the first', async () => {
  const { calls, result, start } = setUp();
  await start('pay');
  await start('pay');
  expect(calls).toHaveLength(1);
  await act(async () => calls[0]?.answer.resolve('paid'));
  expect(result.current.uncertain).toBe(false);
});

it('repeats with the same key where it is not known what happened', async () => {
  const { calls, result, start, fail } = setUp();
  await start('pay');
  await fail(calls[0], unanswered() as TRPCClientError<AppRouter>);
  expect(result.current.uncertain).toBe(true);
  // Neither says anything about the first attempt.
  for (const status of [503, 409, 429, 401]) {
    await start('pay');
    await fail(calls.at(-1), failure(status));
    expect(result.current.uncertain, String(status)).toBe(true);
  }
  await start('pay');
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
  expect(calls[0]?.key).toMatch(/^[A-Za-z0-9_-]{32}$/);
  await act(async () => calls.at(-1)?.answer.resolve('paid'));
  expect(result.current.uncertain).toBe(false);
});

it.each([400, 404, 422])('takes a new key after a refusal with %d, which had no effect', async (status) => {
  const { calls, result, start, fail } = setUp();
  await start('pay');
  await fail(calls[0], failure(status));
  expect(result.current.uncertain).toBe(false);
  await start('pay');
  expect(calls[1]?.key).not.toBe(calls[0]?.key);
});

it('takes a new key for another input, and after success', async () => {
  const { calls, start, fail } = setUp();
  await start('pay 1');
  await fail(calls[0], new TRPCClientError('Failed to fetch'));
  await start('pay 2');
  await act(async () => calls[1]?.answer.resolve('paid'));
  await start('pay 2');
  expect(new Set(calls.map(({ key }) => key)).size).toBe(3);
});
