import { afterEach, expect, test, vi } from 'vitest';
import { tabWorkspace } from '../lib/tab-workspace.ts';
import { fetchSession } from './session.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

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

test('an address that names a workspace opens it, whatever the tab showed, and names it no longer', async () => {
  const id = '0190a1b2-0000-7000-8000-000000000001';
  const workspace = { id, name: 'Shop', personal: false, role: 'viewer' };
  sessionStorage.setItem('workspace', JSON.stringify({ id: 'another', name: 'Another', userId: '1' }));
  window.history.replaceState(null, '', `/projects/1?workspace=${id}&tab=log`);
  const fetch = answer(Promise.resolve(Response.json({ id: '1', workspace })));
  expect(await fetchSession()).toMatchObject({ status: 'signed-in', user: { workspace } });
  expect(fetch).toHaveBeenCalledExactlyOnceWith('/api/auth/user', {
    credentials: 'include',
    headers: { 'x-workspace': id },
  });
  expect(window.location.search).toBe('?tab=log');
  expect(tabWorkspace()?.id).toBe(id);
});
