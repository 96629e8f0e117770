import { afterEach, expect, test, vi } from 'vitest';
import { fetchAgain } from './fetch-again.ts';

const LOST = new TypeError('Failed to fetch');
const AT_WORK = { error: { data: { reason: 'IDEMPOTENCY_IN_PROGRESS' } } };

const asking = vi.hoisted(() => ({ askForProof: vi.fn<() => Promise<void>>() }));
// What it shows needs the whole console; its own tests show it.
vi.mock('./prove-dialog.tsx', () => asking);

afterEach(() => vi.unstubAllGlobals());

function answers(...given: (Response | Error)[]) {
  const fetch = vi.fn(async () => {
    const next = given.shift();
    if (next instanceof Response) return next;
    throw next;
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

test('what was lost on the way is asked for again, as it was', async () => {
  const fetch = answers(LOST, LOST, new Response('here'));
  const init = { method: 'POST', headers: { 'idempotency-key': 'one' } };
  expect(await (await fetchAgain('/trpc', init)).text()).toBe('here');
  expect(fetch.mock.calls).toEqual(Array(3).fill(['/trpc', init]));
});

test('a fourth loss is told', async () => {
  const fetch = answers(LOST, LOST, LOST, LOST);
  await expect(fetchAgain('/trpc')).rejects.toThrow('Failed to fetch');
  expect(fetch).toHaveBeenCalledTimes(4);
});

test('what the person ended is not asked for again', async () => {
  const fetch = answers(new DOMException('Aborted', 'AbortError'));
  const signal = AbortSignal.abort();
  await expect(fetchAgain('/trpc', { signal })).rejects.toThrow(signal.reason);
  expect(fetch).toHaveBeenCalledOnce();
});

test('a write whose first attempt is still at work is waited for', async () => {
  answers(LOST, Response.json(AT_WORK, { status: 409 }), new Response('made'));
  expect(await (await fetchAgain('/trpc')).text()).toBe('made');
});

test.each([
  [409, { error: { data: { reason: 'ALREADY_EXISTS' } } }],
  [503, {}],
])('an answer of %i is an answer', async (status, body) => {
  const fetch = answers(Response.json(body, { status }));
  expect(await (await fetchAgain('/trpc')).json()).toEqual(body);
  expect(fetch).toHaveBeenCalledOnce();
});

test('who does not want to prove anything loses what asked for it, and none of the calls beside it', async () => {
  const refused = { error: { data: { reason: 'PROOF_REQUIRED' } } };
  asking.askForProof.mockRejectedValue(new DOMException('Not confirmed', 'AbortError'));
  answers(
    Response.json([{ result: {} }, refused], { status: 207 }),
    Response.json([refused], { status: 403 }),
  );
  expect(await (await fetchAgain('/trpc')).json()).toEqual([{ result: {} }, refused]);
  await expect(fetchAgain('/trpc')).rejects.toThrow('Not confirmed');
});

test('who lacks a second factor that is demanded is led to where it is set up, and told what was refused', async () => {
  const goTo = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const refused = [{ error: { data: { reason: 'SECOND_FACTOR_DEMANDED' } } }];
  const refusal = () => Response.json(refused, { status: 403 });
  answers(refusal(), refusal());
  expect(await (await fetchAgain('/trpc')).json()).toEqual(refused);
  expect(goTo).toHaveBeenCalledExactlyOnceWith('/account#two-step-login');
  window.history.replaceState(null, '', '/account');
  await fetchAgain('/trpc');
  expect(goTo).toHaveBeenCalledOnce();
});
