import { afterEach, expect, test, vi } from 'vitest';
import { fetchSession } from './session.ts';

afterEach(() => vi.unstubAllGlobals());

function answer(response: Promise<Response>) {
  const fetch = vi.fn(() => response);
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

test('a user makes a session, asked for with cookies at the documented path', async () => {
  const fetch = answer(Promise.resolve(Response.json({ id: '1', email: 'ada@example.com' })));
  expect(await fetchSession()).toEqual({ status: 'signed-in', user: { id: '1', email: 'ada@example.com' } });
  expect(fetch).toHaveBeenCalledExactlyOnceWith('/api/auth/user', { credentials: 'include' });
});

test('401 means signed out', async () => {
  answer(Promise.resolve(Response.json({ message: 'Unauthorized' }, { status: 401 })));
  expect(await fetchSession()).toEqual({ status: 'signed-out' });
});

test.each([500, 503])('%i says nothing about the session', async (status) => {
  answer(Promise.resolve(new Response('', { status })));
  expect(await fetchSession()).toEqual({ status: 'unavailable' });
});

test('nor does a network that is down', async () => {
  answer(Promise.reject(new TypeError('Failed to fetch')));
  expect(await fetchSession()).toEqual({ status: 'unavailable' });
});
