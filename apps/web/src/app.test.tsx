import type { Welcome } from '@nephos/contracts';
import { LOGIN_REDIRECT_DELAY } from '@nephos/contracts/constants';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { App } from './app.tsx';
import { fetchSession, type Session } from './shell/session.ts';
import './test/searches.ts';
import { dismissToast } from './ui/toast.ts';

const SIGNED_OUT: Promise<Session> = Promise.resolve({ status: 'signed-out' });
const LOADING = new Promise<Session>(() => {});

let goTo: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  goTo = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  serverSays();
});
afterEach(() => {
  cleanup();
  // Test files share the one toast there is, and this browser's storage.
  dismissToast();
  localStorage.clear();
  vi.restoreAllMocks();
});

const WELCOME: Welcome = {
  signups: true,
  invitations: true,
  billing: true,
  membersDeploy: true,
  databases: ['postgresql'],
  dns: true,
};

/** What the server answers to the landing page's only question, once `known`. */
function serverSays(changes: Partial<Welcome> = {}, known = Promise.resolve()) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    await known;
    return Response.json({ ...WELCOME, ...changes });
  });
}

function visit(path: string, session: Promise<Session>) {
  window.history.replaceState(null, '', path);
  render(<App path={window.location.pathname} session={session} />);
}

test('signed out, / is the landing page, whose every way in leads to the login page', async () => {
  visit('/', SIGNED_OUT);
  expect(await screen.findByRole('heading', { level: 1 })).toBeDefined();
  const outward = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
  expect(new Set(outward.filter((href) => !href.startsWith('#')))).toEqual(
    new Set(['/api/login', '/api/login?mode=signup']),
  );
  for (const [name, href] of [
    ['Log in', '/api/login'],
    ['Start free trial', '/api/login?mode=signup'],
  ]) {
    for (const link of screen.getAllByRole('link', { name })) expect(link.getAttribute('href')).toBe(href);
  }
  expect(goTo).not.toHaveBeenCalled();
});

test.each([
  [true, 1],
  [false, 0],
])('the landing page shows prices where plans are sold: %s', async (billing, sections) => {
  const { promise: known, resolve: answer } = Promise.withResolvers<void>();
  const asked = serverSays({ billing }, known);
  visit('/', SIGNED_OUT);
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByRole('link', { name: 'Pricing' })).toBeNull();
  answer();
  await act(() => asked.mock.results[0]?.value);
  await act(async () => {});
  expect(asked).toHaveBeenCalledExactlyOnceWith('/api/auth/welcome');
  expect(screen.queryAllByRole('link', { name: 'Pricing' })).toHaveLength(sections);
  expect(screen.queryAllByText('$49')).toHaveLength(sections);
  const begin = billing ? 'Start free trial' : 'Create account';
  expect(screen.getAllByRole('link', { name: begin }).length).toBeGreaterThan(0);
  expect(screen.queryAllByText(/free trial/i).length > 0).toBe(billing);
});

test('the landing page claims what the server has, and nothing else', async () => {
  visit('/', SIGNED_OUT);
  await screen.findByText('Free for 14 days. No credit card required.');
  expect(screen.getByText('PostgreSQL databases, each with its own connection string.')).toBeDefined();
  const clients = () =>
    ['git', 'docker', 'skopeo', 'psql', 'mysql', 'mongosh', 'dig', 'curl', 's3cmd'].filter((name) =>
      screen.queryByText(name),
    );
  expect(clients()).toEqual(['git', 'docker', 'skopeo', 'psql', 'dig', 'curl']);
  expect(screen.getByText(/^An authoritative name server/)).toBeDefined();
  expect(screen.queryByText(/\badmins?\b/)).toBeNull();
  cleanup();
  serverSays({ databases: ['postgresql', 'mysql', 'mongodb'] });
  visit('/', SIGNED_OUT);
  await screen.findByText('PostgreSQL, MySQL, and MongoDB databases, each with its own connection string.');
  expect(clients()).toEqual(['git', 'docker', 'skopeo', 'psql', 'mysql', 'mongosh', 'dig', 'curl']);
  cleanup();
  serverSays({ databases: [], dns: false, signups: false, membersDeploy: false });
  visit('/', SIGNED_OUT);
  await screen.findByText(/This server has no database engine yet\.$/);
  expect(clients()).toEqual(['git', 'docker', 'skopeo', 'curl']);
  expect(screen.getByText(/The name server is turned off on this server\.$/)).toBeDefined();
  expect(screen.getByText(/On this server, only admins can deploy\.$/)).toBeDefined();
  expect(screen.getByText(/^This server is invite-only\./)).toBeDefined();
});

test('while loading, / is the landing page and other paths are not found', async () => {
  visit('/', LOADING);
  expect(await screen.findByRole('heading', { level: 1, name: /From Git to live/ })).toBeDefined();
  cleanup();
  visit('/deployments', LOADING);
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeDefined();
  expect(screen.queryByText('Unauthorized')).toBeNull();
});

test('signed out, an unknown path says so in the specified words, and nobody is sent away', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  visit('/nowhere', SIGNED_OUT);
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeDefined();
  expect(screen.getByText('Did you forget to add the page to the router?')).toBeDefined();
  vi.advanceTimersByTime(LOGIN_REDIRECT_DELAY * 2);
  expect(goTo).not.toHaveBeenCalled();
  vi.useRealTimers();
});

test('signed out, a page of the console tells and goes to the login page half a second later', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  visit('/dns?page=2', SIGNED_OUT);
  expect(await screen.findByText('Unauthorized')).toBeDefined();
  expect(screen.getByText('You are logged out. Logging in again...')).toBeDefined();
  expect(screen.getByRole('heading', { name: '404 Page Not Found' })).toBeDefined();
  await waitFor(() => expect(goTo).toHaveBeenCalledExactlyOnceWith('/api/login?returnTo=%2Fdns%3Fpage%3D2'));
  expect(timers.mock.calls.filter(([, delay]) => delay === 500)).toHaveLength(1);
});

describe('a server that cannot say who is signed in', () => {
  const UNAVAILABLE: Promise<Session> = Promise.resolve({ status: 'unavailable' });

  /** What the server says of the session from now on. */
  function sessionIs(answer: () => Response) {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  }

  test('sends nobody away, and the page goes on when it can say', async () => {
    sessionIs(() => Response.json({ message: 'Not now.' }, { status: 503 }));
    visit('/dns', UNAVAILABLE);
    expect(await screen.findByRole('heading', { name: 'Service temporarily unavailable' })).toBeDefined();
    expect(goTo).not.toHaveBeenCalled();
    sessionIs(() => Response.json({ message: 'Unauthorized' }, { status: 401 }));
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(goTo).toHaveBeenCalledExactlyOnceWith('/api/login?returnTo=%2Fdns'));
  });

  test('says so at / to whoever was signed in here, and the landing page to everyone else', async () => {
    visit('/', UNAVAILABLE);
    expect(await screen.findByRole('heading', { level: 1, name: /From Git to live/ })).toBeDefined();
    cleanup();

    sessionIs(() => Response.json({ id: '1', email: 'ada@example.com' }));
    await fetchSession();
    sessionIs(() => new Response('', { status: 502 }));
    visit('/', UNAVAILABLE);
    const heading = { name: 'Service temporarily unavailable' };
    expect(await screen.findByRole('heading', heading)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByRole('heading', heading)).toBeDefined();

    sessionIs(() => Response.json({ message: 'Unauthorized' }, { status: 401 }));
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: /From Git to live/ })).toBeDefined();
    cleanup();
    visit('/', UNAVAILABLE);
    expect(await screen.findByRole('heading', { level: 1, name: /From Git to live/ })).toBeDefined();
  });
});
