import { expect, vi } from 'vitest';
import type { World } from '../world.ts';
import { openPage, type Page } from './auth-forms.ts';
import { CLIENT, type Claims, startOidcServer, visitProvider } from './oidc-server.ts';

/** Where browsers know the console, which is elsewhere than it listens. */
export const CONSOLE = 'http://console.example';

type Place = Pick<World, 'url'>;

/** What a provider says of somebody whose address it has verified. */
export function verified(email: string): Claims {
  return { email, email_verified: true, given_name: 'Ada', family_name: 'King' };
}

/** The path of a provider's log-in; without an id that of the first one. */
export function pathOf(id?: string): string {
  return id === undefined ? '/api/login/oidc' : `/api/login/oidc/${id}`;
}

/** Two providers, and the settings of a console that knows both; they say at length that they are set up for a test. */
export async function startTwoProviders() {
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockReturnValue();
  const first = await startOidcServer(`${CONSOLE}${pathOf()}/callback`);
  const work = await startOidcServer(`${CONSOLE}${pathOf('work')}/callback`);
  const oidc = [
    { ...CLIENT, issuer: first.issuer },
    { ...CLIENT, id: 'work', name: 'Work ID', issuer: work.issuer },
  ];
  return { first, work, oidc };
}

/** Sets out for the provider. */
export function setOut({ url }: Place, { id, query = '', cookie = '' }: Partial<Way> = {}): Promise<Page> {
  return openPage(new URL(pathOf(id) + query, url), { cookie });
}

/** Comes back from the provider. */
export function comeBack({ url }: Place, address: URL, cookie: string): Promise<Page> {
  return openPage(new URL(address.pathname + address.search, url), { cookie });
}

interface Way {
  id: string | undefined;
  query: string;
  /** What the browser has besides. */
  cookie: string;
}

/** Goes through the log-in by a provider, up to where the console leads on to. */
export async function logInAt(place: Place, login: string, way: Partial<Way> = {}): Promise<Page> {
  const start = await setOut(place, way);
  const back = await visitProvider(start.headers.get('location') ?? '', login);
  expect(back.href).toMatch(`${CONSOLE}${pathOf(way.id)}/callback?`);
  return comeBack(place, back, [start.cookie, way.cookie].filter(Boolean).join('; '));
}
