import { describe, expect, test } from 'vitest';
import { readSettings } from './env.ts';

test('an empty environment has a default for everything', () => {
  const { publicUrl, ...settings } = readSettings({});
  expect(publicUrl.origin).toBe('http://localhost:3000');
  expect(settings).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    appsDomain: 'localhost',
    rateLimits: true,
  });
});

test('an empty variable counts as absent', () => {
  expect(readSettings({ PORT: '', OIDC_ISSUER: '' })).toMatchObject({ port: 3000, oidc: undefined });
});

test.each([
  [{ HOST: '0.0.0.0', PORT: '8080' }, 'http://localhost:8080'],
  [{ HOST: '10.0.0.5' }, 'http://10.0.0.5:3000'],
  [{ HOST: '::1' }, 'http://[::1]:3000'],
  [{ PUBLIC_URL: 'https://console.example.com/path?query' }, 'https://console.example.com'],
])('%j is reached at %s', (environment, origin) => {
  expect(readSettings(environment).publicUrl.origin).toBe(origin);
});

describe('what cannot be used is one line that names the variable', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'localhost:3000'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['DATABASE_URL', 'mysql://localhost/nephos'],
    ['SECRETS_KEY', 'short'],
    ['APPS_DOMAIN', 'Apps.Example.com'],
    ['DEPLOY_RUNTIME', 'docker'],
    ['ALLOW_PROCESS_RUNTIME', 'yes'],
    ['ALLOW_PRIVATE_REPOSITORIES', 'true'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['OIDC_ISSUER', 'login.example.com'],
    ['MANAGED_MYSQL_URL', 'postgres://localhost/'],
    ['MANAGED_MONGODB_URL', 'https://localhost/'],
    ['MANAGED_MONGODB_URL', 'mongodb://'],
    ['METRICS_TOKEN', 'short'],
    ['RATE_LIMITS', 'no'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+$`));
  });

  test('half a provider', () => {
    expect(() => readSettings({ OIDC_CLIENT_ID: 'nephos' })).toThrow(/OIDC_ISSUER.*together/);
  });

  test.each(['0.0.0.0', '192.168.1.2', 'console.example.com'])('RATE_LIMITS=off at %s', (host) => {
    expect(() => readSettings({ RATE_LIMITS: 'off', HOST: host })).toThrow(/^RATE_LIMITS/);
  });
});

test.each(['loopback', '10.0.0.1', '10.0.0.0/8, fd00::/8', '::1'])('TRUST_PROXY may be %j', (trustProxy) => {
  expect(readSettings({ TRUST_PROXY: trustProxy })).toMatchObject({ trustProxy });
});
