import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createWorld, type World } from '../world.ts';
import { openPage } from './auth-forms.ts';
import { CONSOLE, comeBack, logInAt, pathOf, setOut, startTwoProviders, verified } from './oidc-login.ts';
import { type OidcServer, visitProvider } from './oidc-server.ts';

let first: OidcServer;
let work: OidcServer;
let world: World;

beforeAll(async () => {
  const { oidc, ...providers } = await startTwoProviders();
  ({ first, work } = providers);
  world = await createWorld({ settings: { publicUrl: new URL(CONSOLE), oidc } });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
  await Promise.all([first.close(), work.close()]);
});
beforeEach(async () => {
  for (const { accounts } of [first, work]) accounts.clear();
  await world.deps.db.deleteFrom('users').execute();
});

const emailOf = async (cookie: string) => {
  const { body } = await world.anyone.rest('GET /api/auth/user', { headers: { cookie } });
  return (body as { email: string }).email;
};

test('the page offers each provider by its name, and an invitation goes along', async () => {
  const { html } = await openPage(new URL('/api/login?returnTo=/dns', world.url));
  expect(
    [...html.matchAll(/href="(\/api\/login\/oidc[^"]*)"[^>]*>([^<]*)</g)].map((found) => found.slice(1)),
  ).toEqual([
    ['/api/login/oidc?returnTo=%2Fdns', 'Continue with Test ID'],
    ['/api/login/oidc/work?returnTo=%2Fdns', 'Continue with Work ID'],
  ]);
});

test('the same subject at two providers is two people', async () => {
  first.accounts.set('sub-1', verified('ada@example.com'));
  work.accounts.set('sub-1', verified('bob@example.com'));
  const [ada, bob] = [await logInAt(world, 'sub-1'), await logInAt(world, 'sub-1', { id: 'work' })];
  expect([await emailOf(ada.cookie), await emailOf(bob.cookie)]).toEqual([
    'ada@example.com',
    'bob@example.com',
  ]);
});

test('attempts at two providers in one browser do not end each other', async () => {
  first.accounts.set('sub-1', verified('ada@example.com'));
  work.accounts.set('sub-2', verified('bob@example.com'));
  const starts = [await setOut(world), await setOut(world, { id: 'work' })];
  const cookie = starts.map((start) => start.cookie).join('; ');
  const backs = await Promise.all(
    starts.map(({ headers }, index) => visitProvider(headers.get('location') ?? '', `sub-${index + 1}`)),
  );
  const pages = await Promise.all(backs.map((back) => comeBack(world, back, cookie)));
  expect(pages.map(({ status }) => status)).toEqual([303, 303]);
});

test('an attempt at one provider is none at the other', async () => {
  work.accounts.set('sub-1', verified('ada@example.com'));
  const [there, here] = [await setOut(world), await setOut(world, { id: 'work' })];
  const back = await visitProvider(here.headers.get('location') ?? '', 'sub-1');
  const [, sealed] = there.cookie.split('=');
  const page = await comeBack(world, back, `oidc_work=${sealed}`);
  expect(page.status).toBe(400);
  expect(page.html).toMatch(/role="alert"[^>]*>This login expired or was started in another window/);
  expect((await comeBack(world, back, here.cookie)).status).toBe(303);
});

test('an answer of one provider that is brought to the other is refused', async () => {
  first.accounts.set('sub-1', verified('ada@example.com'));
  const [there, here] = [await setOut(world), await setOut(world, { id: 'work' })];
  const back = await visitProvider(there.headers.get('location') ?? '', 'sub-1');
  const { state } = Object.fromEntries(new URL(here.headers.get('location') ?? '').searchParams);
  const moved = new URL(`${CONSOLE}${pathOf('work')}/callback${back.search}`);
  moved.searchParams.set('state', state ?? '');
  const page = await comeBack(world, moved, here.cookie);
  expect([page.status, await world.deps.db.selectFrom('users').selectAll().execute()]).toEqual([400, []]);
});
