import { describe, expect, test } from 'vitest';
import { isOnlyForThisMachine, readSettings } from './env.ts';

test('backups go to a folder, or to a bucket of a server of its own', () => {
  const { backups } = readSettings({ BACKUP_URL: '/mnt/backups' });
  expect(backups).toEqual({ target: '/mnt/backups', server: undefined, passphrase: undefined, hour: 3 });
  const keys = { BACKUP_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE', BACKUP_S3_SECRET_ACCESS_KEY: 'secret/key+1' };
  const s3 = {
    BACKUP_URL: 's3://backups/of/nephos',
    BACKUP_S3_ENDPOINT: 'https://s3.example.com',
    ...keys,
  };
  expect(readSettings(s3).backups.server).toEqual({
    ...{ endpoint: new URL('https://s3.example.com'), region: 'us-east-1', pathStyle: true },
    ...{ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret/key+1' },
  });
  for (const target of [
    'backups',
    './backups',
    's3://',
    's3://Bucket',
    's3://bucket/Prefix',
    's3://bucket//a',
  ]) {
    expect(() => readSettings({ BACKUP_URL: target })).toThrow(
      'BACKUP_URL must be an absolute path or s3://bucket/prefix',
    );
  }
  for (const name of Object.keys(keys)) {
    expect(() => readSettings({ ...s3, [name]: '' })).toThrow(/^BACKUP_S3_ACCESS_KEY_ID and .* together$/);
  }
});

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

/** What says that the console is there for more than this machine, each by itself. */
const REACHED_BY_OTHERS = [
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.2' },
  { HOST: 'console.example.com' },
  { PUBLIC_URL: 'https://console.example.com' },
  { PUBLIC_URL: 'http://localhost.example.com' },
  { PUBLIC_URL: 'http://notlocalhost' },
  { PUBLIC_URL: 'http://128.0.0.1' },
  { TRUST_PROXY: 'loopback' },
];

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

const S3 = { S3_BUCKET: 'nephos', S3_ACCESS_KEY_ID: 'AKIAEXAMPLE', S3_SECRET_ACCESS_KEY: 'secret/key+1' };

test('objects are stored in a bucket where it is set with its keys', () => {
  expect(readSettings({}).s3).toBeUndefined();
  expect(readSettings(S3).s3).toEqual({
    ...{ bucket: 'nephos', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret/key+1' },
    ...{ endpoint: undefined, region: 'us-east-1', pathStyle: false },
  });
  const own = { ...S3, S3_ENDPOINT: 'https://s3.example.com:9000', S3_REGION: 'eu-central-1' };
  expect(readSettings(own).s3).toMatchObject({
    ...{ endpoint: new URL('https://s3.example.com:9000'), region: 'eu-central-1', pathStyle: true },
  });
  expect(readSettings({ ...own, S3_FORCE_PATH_STYLE: '0' }).s3?.pathStyle).toBe(false);
  for (const name of Object.keys(S3)) {
    expect(() => readSettings({ ...own, [name]: '' })).toThrow(/^S3_BUCKET, .* must be set together$/);
  }
  expect(() => readSettings({ ...S3, S3_SECRET_ACCESS_KEY: 'two words' })).toThrow(
    'S3_SECRET_ACCESS_KEY must be printable characters without spaces',
  );
});

test('Stripe takes payments where its keys are set', () => {
  expect(readSettings({}).stripe).toBeUndefined();
  expect(readSettings({ ...STRIPE, STRIPE_API_BASE: 'http://127.0.0.1:12111' }).stripe).toEqual({
    ...{ secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 'whsec_1' },
    apiBase: new URL('http://127.0.0.1:12111'),
  });
});

test('mail is sent where its server is set, from an address of this server unless another is given', () => {
  const url = 'smtp://ada%40example.com:p%2Fw@smtp.example.com:587';
  const mailOf = (source: Record<string, string>) => readSettings({ SMTP_URL: url, ...source }).mail;
  expect(readSettings({ MAIL_FROM: 'ada@example.com' }).mail).toBeUndefined();
  expect(mailOf({ PUBLIC_URL: 'https://console.example.com' })).toEqual({
    smtpUrl: new URL(url),
    from: { name: 'Nephos', address: 'nephos@console.example.com' },
  });
  expect(mailOf({ PUBLIC_URL: 'http://[2001:db8::1]' })?.from.address).toBe('nephos@[IPv6:2001:db8::1]');
  expect(mailOf({ PUBLIC_URL: 'http://192.0.2.1' })?.from.address).toBe('nephos@[192.0.2.1]');
  expect(mailOf({ MAIL_FROM: 'cloud@example.com' })?.from).toEqual({
    name: '',
    address: 'cloud@example.com',
  });
  expect(mailOf({ MAIL_FROM: 'Our cloud <cloud@example.com>' })?.from).toEqual({
    ...{ name: 'Our cloud', address: 'cloud@example.com' },
  });
  for (const MAIL_FROM of ['cloud', 'A <a@example.com> b', 'a@example.com, b@example.com']) {
    expect(() => mailOf({ MAIL_FROM })).toThrow(/^MAIL_FROM must be an address/);
  }
  for (const tls of ['off', 'required']) expect(mailOf({ SMTP_URL: `smtp://mail?tls=${tls}` })).toBeDefined();
  for (const wrong of [
    'smtp.example.com',
    'https://mail',
    'smtp:///x',
    'smtp://a:%z@mail',
    'smtp://mail?tls=no',
  ]) {
    expect(() => mailOf({ SMTP_URL: wrong })).toThrow(/^SMTP_URL must be/);
  }
});

test('certificates come from an authority where its address for mail is set, and HTTPS is on', () => {
  const on = { ACME_EMAIL: 'admin@example.com', HTTPS_PORT: '443' };
  expect(readSettings({ HTTPS_PORT: '443' }).acme).toBeUndefined();
  expect(readSettings(on).acme).toEqual({
    directory: 'https://acme-v02.api.letsencrypt.org/directory',
    email: 'admin@example.com',
    caFile: undefined,
    binding: undefined,
  });
  const bound = { ...on, ACME_EAB_KID: 'kid-1', ACME_EAB_HMAC_KEY: 'zWNDZM6e' };
  expect(readSettings(bound).acme?.binding).toEqual({ kid: 'kid-1', hmacKey: 'zWNDZM6e' });
  expect(() => readSettings({ ...on, HTTPS_PORT: '0' })).toThrow(/^HTTPS_PORT must be set/);
  expect(() => readSettings({ ACME_CA_FILE: 'ca.pem' })).toThrow(/^ACME_EMAIL must be set/);
  expect(() => readSettings({ ...on, ACME_EAB_KID: 'kid-1' })).toThrow(/ACME_EAB_HMAC_KEY.*together/);
  expect(() => readSettings({ ...on, ACME_DIRECTORY: 'http://ca.test' })).toThrow(/^ACME_DIRECTORY must be/);
});

test.each([
  [{}, false],
  [{ HOST: '::1' }, false],
  [{ HOST: 'localhost' }, false],
  [{ HOST: '0.0.0.0' }, true],
  [{ HOST: '0.0.0.0', DNS_PORT: '0' }, true],
  [{ DNS_HOST: '192.0.2.53' }, true],
  [{ HOST: '0.0.0.0', DNS_HOST: '127.0.0.1' }, false],
  [{ HOST: '0.0.0.0', DNS_VERIFY_OWNERSHIP: '0' }, false],
  [{ DNS_VERIFY_OWNERSHIP: '1' }, true],
])('with %j, proof of a domain is asked for: %s', (environment, expected) => {
  expect(readSettings(environment).dnsVerifyOwnership).toBe(expected);
});

test('options of the disk driver are pairs, in quotes where one has a comma', () => {
  const NFS = 'type=nfs,"o=addr=192.0.2.1,rw",device=:/export/{disk}';
  expect(readSettings({}).diskDriver).toEqual({ name: 'local', options: {} });
  expect(readSettings({ DISK_DRIVER_OPTIONS: NFS }).diskDriver).toEqual({
    name: 'local',
    options: { type: 'nfs', o: 'addr=192.0.2.1,rw', device: ':/export/{disk}' },
  });
  expect(readSettings({ DISK_DRIVER: 'rexray/ebs', DISK_DRIVER_OPTIONS: 'size=8' }).diskDriver).toEqual({
    ...{ name: 'rexray/ebs', options: { size: '8' } },
  });
});

const WORK = {
  ...{ id: 'work', name: 'Work', issuer: 'https://id.example.com/work' },
  ...{ clientId: 'nephos', clientSecret: 'hidden-from-errors' },
};

const SHOP = '0197a000-0000-7000-8000-000000000001';

test('the provider of the single variables comes before those of the list', () => {
  const first = {
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'nephos',
    OIDC_CLIENT_SECRET: 'secret',
  };
  const groups = { staff: { workspaces: { [SHOP]: 'viewer' } } };
  const { oidc } = readSettings({
    ...{ ...first, OIDC_GROUPS: '{"ops": {"admin": true}}', OIDC_GROUPS_CLAIM: 'roles' },
    OIDC_PROVIDERS: JSON.stringify([{ ...WORK, groups }]),
  });
  expect(oidc).toMatchObject([
    {
      ...{ id: 'default', name: 'single sign-on', scope: 'openid email profile', groupsClaim: 'roles' },
      groups: { ops: { admin: true, workspaces: {} } },
    },
    { ...WORK, groupsClaim: 'groups', groups: { staff: { admin: false, ...groups.staff } } },
  ]);
});

test('an empty variable counts as absent', () => {
  expect(readSettings({ PORT: '', OIDC_ISSUER: '' })).toMatchObject({ port: 3000, oidc: [] });
});

test('a model server is OpenAI’s where only its key is given', () => {
  expect(readSettings({}).openai).toBeUndefined();
  expect(readSettings({ OPENAI_API_KEY: 'sk-1' }).openai).toEqual({
    apiKey: 'sk-1',
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-5-mini',
  });
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
    ['DEPLOY_RUNTIME', 'podman'],
    ['ALLOW_PROCESS_RUNTIME', 'yes'],
    ['ALLOW_PRIVATE_REPOSITORIES', 'true'],
    ['DISK_DRIVER', 'two words'],
    ['DISK_DRIVER_OPTIONS', 'rw'],
    ['DISK_DRIVER_OPTIONS', '"type=nfs'],
    ['DISK_DRIVER_OPTIONS', 'type=nfs,device=:/export'],
    ['BUILD_DISK', '12'],
    ['BUILD_MEMORY', '2 GB'],
    ['BUILD_TIMEOUT', '0'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['OIDC_ISSUER', 'login.example.com'],
    ['MANAGED_MYSQL_URL', 'postgres://localhost/'],
    ['MANAGED_REDIS_URL', 'redis.example.com:6379'],
    ['MANAGED_MONGODB_URL', 'https://localhost/'],
    ['MANAGED_MONGODB_URL', 'mongodb://'],
    ['STRIPE_SECRET_KEY', 'pk_test_1'],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_test_1'],
    ['STRIPE_WEBHOOK_SECRET', 'secret'],
    ['STRIPE_API_BASE', 'stripe.example.com'],
    ['OPENAI_API_KEY', 'two words'],
    ['OPENAI_BASE_URL', 'models.example.com/v1'],
    ['METRICS_TOKEN', 'short'],
    ['RATE_LIMITS', 'no'],
    ['SIGNUPS', 'shut'],
    ['BILLING', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+$`));
  });

  test('a model server without a key', () => {
    expect(() => readSettings({ OPENAI_BASE_URL: 'http://localhost:11434/v1' })).toThrow(
      /^OPENAI_API_KEY must be set when [^\n]+$/,
    );
  });

  test.each([
    ['no JSON', '{', 'OIDC_PROVIDERS must be a JSON list'],
    ['no list', '{}', 'OIDC_PROVIDERS must be a JSON list'],
    ['no address', [{ ...WORK, issuer: 'login.example.com' }], 'OIDC_PROVIDERS.0.issuer must be an http'],
    ['a name of an address', [{ ...WORK, id: 'callback' }], 'OIDC_PROVIDERS.0.id is taken'],
    ['an unknown member', [{ ...WORK, secret: 'x' }], 'OIDC_PROVIDERS.0 Unrecognized key: "secret"'],
    ['a role of nobody', [{ ...WORK, groups: { a: { workspaces: { [SHOP]: 'boss' } } } }], 'must be a role'],
    ['no workspace', [{ ...WORK, groups: { a: { workspaces: { shop: 'viewer' } } } }], 'must be the id of'],
    ['one id twice', [WORK, { ...WORK, issuer: 'https://b.example' }], 'OIDC_PROVIDERS must give each'],
    ['one issuer twice', [WORK, { ...WORK, id: 'b', issuer: `${WORK.issuer}/` }], 'must give each'],
  ])('a list of providers with %s, without a word of its secrets', (_what, list, message) => {
    const text = typeof list === 'string' ? list : JSON.stringify(list);
    const read = () => readSettings({ OIDC_PROVIDERS: text });
    expect(read).toThrow(message);
    expect(read).not.toThrow(WORK.clientSecret);
  });

  test('half a provider', () => {
    expect(() => readSettings({ OIDC_CLIENT_ID: 'nephos' })).toThrow(/OIDC_ISSUER.*together/);
  });

  test('a part of the keys of Stripe, or keys of two modes', () => {
    const together =
      /^STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together$/;
    for (const absent of Object.keys(STRIPE)) {
      expect(() => readSettings({ ...STRIPE, [absent]: '' }), absent).toThrow(together);
    }
    expect(() => readSettings({ ...STRIPE, STRIPE_SECRET_KEY: 'sk_live_1' })).toThrow(
      /^STRIPE_PUBLISHABLE_KEY .+mode/,
    );
  });

  test.each(REACHED_BY_OTHERS)('RATE_LIMITS=off with %j', (environment) => {
    expect(() => readSettings({ RATE_LIMITS: 'off', ...environment })).toThrow(/^RATE_LIMITS=off [^\n]+$/);
  });
});

test.each(REACHED_BY_OTHERS)('with %j, others can reach the console', (environment) => {
  expect(isOnlyForThisMachine(readSettings(environment))).toBe(false);
});

test.each([
  {},
  { HOST: '::1' },
  { HOST: '127.0.0.2', PUBLIC_URL: 'http://127.1.2.3:8080' },
  { PUBLIC_URL: 'https://localhost:8443' },
  { PUBLIC_URL: 'http://Console.LOCALHOST' },
  { PUBLIC_URL: 'http://[::1]:3000' },
])('with %j, nobody but this machine can', (environment) => {
  expect(isOnlyForThisMachine(readSettings(environment))).toBe(true);
  expect(readSettings({ RATE_LIMITS: 'off', ...environment }).rateLimits).toBe(false);
});

test.each(['loopback', '10.0.0.1', '10.0.0.0/8, fd00::/8', '::1'])('TRUST_PROXY may be %j', (trustProxy) => {
  expect(readSettings({ TRUST_PROXY: trustProxy })).toMatchObject({ trustProxy });
});
