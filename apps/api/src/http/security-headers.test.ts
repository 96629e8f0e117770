import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { readSettings } from '../core/env.ts';
import { addSecurityHeaders, type SecurityOptions } from './security-headers.ts';

async function headersOf(options: SecurityOptions) {
  const app = Fastify();
  await addSecurityHeaders(app, options);
  app.get('/', () => '');
  const { headers } = await app.inject('/');
  const policy = String(headers['content-security-policy']).split(';');
  return { headers, directives: new Map(policy.map((text) => [text.split(' ')[0], text])) };
}

it('admits nobody but ourselves where payments go to the sandbox', async () => {
  const { directives } = await headersOf({ settings: readSettings({}), stripe: false });
  expect(directives.get('script-src')).toBe("script-src 'self'");
  expect(directives.get('connect-src')).toBe("connect-src 'self'");
  expect(directives.get('frame-src')).toBe("frame-src 'self'");
});

it("admits Stripe's script, frames and API where payments go there, and no more", async () => {
  const { directives } = await headersOf({ settings: readSettings({}), stripe: true });
  expect(directives.get('script-src')).toBe(
    "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
  );
  expect(directives.get('frame-src')).toBe(
    "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
  );
  expect(directives.get('connect-src')).toBe("connect-src 'self' https://api.stripe.com");
  expect(directives.get('default-src')).toBe("default-src 'self'");
});

it('asks for https only where the console is reached by it, and this client did', async () => {
  const of = async (environment: Record<string, string>) =>
    (await headersOf({ settings: readSettings(environment), stripe: false })).headers[
      'strict-transport-security'
    ];
  const secure = { PUBLIC_URL: 'https://console.example.com' };
  expect(await of({})).toBeUndefined();
  expect(await of(secure)).toBe('max-age=31536000; includeSubDomains');
  expect(await of({ ...secure, APPS_DOMAIN: 'apps.console.example.com' })).toBe('max-age=31536000');
  expect(await of({ ...secure, HTTPS_PORT: '443' })).toBeUndefined();
});
