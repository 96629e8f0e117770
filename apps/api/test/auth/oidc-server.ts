import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** As the first provider is set; its `issuer` is that of the server. */
export const CLIENT = {
  ...{ id: 'default', clientId: 'nephos', clientSecret: 'a secret of the test', name: 'Test ID' },
  ...{ scope: 'openid email profile', groupsClaim: 'groups', groups: {} },
};

/** What the provider says of a login. */
export interface Claims {
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  picture?: string;
  groups?: string[];
}

/** A real OpenID Connect provider on loopback, with the accounts that a test gives it. */
export interface OidcServer {
  issuer: string;
  /** By login name, which is also the subject. */
  accounts: Map<string, Claims>;
  /** What else it answers, by path. */
  pages: Map<string, RequestListener>;
  close(): Promise<void>;
}

export async function startOidcServer(redirectUri: string, port = 0): Promise<OidcServer> {
  const accounts = new Map<string, Claims>();
  const pages = new Map<string, RequestListener>();
  const server = createServer((request, response) =>
    (pages.get(request.url ?? '') ?? answer)(request, response),
  );
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] },
    ],
    claims: {
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'picture', 'groups'],
    },
    cookies: { keys: ['only of the test'] },
    pkce: { required: () => true },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts.get(sub) }) }),
  });
  const answer = provider.callback();
  return {
    issuer,
    accounts,
    pages,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A browser's cookies of one origin. */
function cookieJar() {
  const cookies = new Map<string, string>();
  return {
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    keep: (headers: Headers) => {
      for (const cookie of headers.getSetCookie()) {
        const [, name = '', value = ''] = cookie.match(/^([^=]+)=([^;]*)/) ?? [];
        if (value) cookies.set(name, value);
        else cookies.delete(name);
      }
    },
  };
}

/** Goes through the provider's pages as a person who logs in (or gives up), to the address it sends them back to. */
export async function visitProvider(start: string, login: string | 'give up'): Promise<URL> {
  const { origin } = new URL(start);
  const jar = cookieJar();
  let address = new URL(start);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step++) {
    const response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: jar.header() },
      ...(form && { body: form }),
    });
    jar.keep(response.headers);
    form = undefined;
    const location = response.headers.get('location');
    if (location) {
      address = new URL(location, address);
      if (address.origin !== origin) return address;
      continue;
    }
    const page = await response.text();
    if (!response.ok) throw new Error(`the provider answered ${response.status}: ${page.slice(0, 300)}`);
    const prompt = page.match(/name="prompt" value="(\w+)"/)?.[1] ?? '';
    if (login === 'give up') address = new URL(`${address.pathname}/abort`, origin);
    else form = new URLSearchParams({ prompt, login, password: 'any' });
  }
  throw new Error('the provider led nowhere');
}
