import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { Environment } from './environment.ts';
import {
  type BucketServer,
  DEFAULT_OIDC,
  type DiskDriver,
  LOCAL_DRIVER,
  type MailSettings,
  type OidcSettings,
  SettingError,
  type Settings,
} from './settings.ts';

/** What the tools that build apps need of the host: where programs are and how the internet is reached. */
const HOST_VARIABLES = [
  'PATH',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'PIP_CERT',
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'PIP_FIND_LINKS',
  'PIP_NO_INDEX',
  'PIP_TRUSTED_HOST',
  'PIP_DEFAULT_TIMEOUT',
] as const;

/**
 * Whether a host, as of an address or to listen on, is this machine itself: 127.0.0.0/8, `::1`, `localhost` and the
 * names below it (RFC 6761 §6.3).
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(name) || ipaddr.IPv6.isValid(name);
  return isAddress && ipaddr.process(name).range() === 'loopback';
}

/**
 * Whether nobody but this machine reaches the console, so that who does is trusted. That it listens on loopback does not
 * say so by itself: a proxy on this machine hands on what others send, and then the console has another address or
 * knows of the proxy.
 */
export function isOnlyForThisMachine({
  host,
  publicUrl,
  trustProxy,
}: Pick<Settings, 'host' | 'publicUrl' | 'trustProxy'>): boolean {
  return isLoopbackHost(host) && isLoopbackHost(publicUrl.hostname) && trustProxy === undefined;
}

function defaultOidcOf(env: Environment): OidcSettings[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!issuer && !clientId && !clientSecret) return [];
  if (!issuer || !clientId || !clientSecret) {
    throw new SettingError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together');
  }
  return [
    {
      ...{ id: DEFAULT_OIDC, issuer, clientId, clientSecret, name: env.OIDC_NAME },
      ...{ scope: env.OIDC_SCOPE, groupsClaim: env.OIDC_GROUPS_CLAIM, groups: env.OIDC_GROUPS },
    },
  ];
}

/** A person is known by the issuer and its subject, so each issuer is one provider. */
function oidcOf(env: Environment): Settings['oidc'] {
  const providers = [...defaultOidcOf(env), ...env.OIDC_PROVIDERS];
  for (const key of [({ id }: OidcSettings) => id, issuerOf]) {
    if (new Set(providers.map(key)).size < providers.length) {
      throw new SettingError('OIDC_PROVIDERS must give each provider an id and an issuer of its own');
    }
  }
  return providers;
}

/** An issuer as it is compared: people write it with and without the slash at its end. */
export function issuerOf({ issuer }: Pick<OidcSettings, 'issuer'>): string {
  return new URL(issuer).href.replace(/\/$/, '');
}

function stripeOf(env: Environment): Settings['stripe'] {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: base,
  } = env;
  if (!secretKey && !publishableKey && !webhookSecret) return undefined;
  if (!secretKey || !publishableKey || !webhookSecret) {
    throw new SettingError(
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together',
    );
  }
  const modeOf = (key: string) => key.split('_')[1];
  if (modeOf(secretKey) !== modeOf(publishableKey)) {
    throw new SettingError(
      'STRIPE_PUBLISHABLE_KEY must use the same mode (test or live) as STRIPE_SECRET_KEY',
    );
  }
  return { secretKey, publishableKey, webhookSecret, apiBase: base ? new URL(base) : undefined };
}

function mirrorOf(env: Environment): Settings['registryMirror'] {
  const {
    REGISTRY_MIRROR: url,
    REGISTRY_MIRROR_USERNAME: username,
    REGISTRY_MIRROR_PASSWORD: password,
    REGISTRY_MIRROR_SIZE: megabytes,
  } = env;
  if (!username !== !password) {
    throw new SettingError('REGISTRY_MIRROR_USERNAME and REGISTRY_MIRROR_PASSWORD must be set together');
  }
  if (!url) {
    if (username) throw new SettingError('REGISTRY_MIRROR must be set when REGISTRY_MIRROR_USERNAME is');
    return undefined;
  }
  return { url: new URL(url), username, password, size: megabytes * 1024 * 1024 };
}

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

function acmeOf(env: Environment): Settings['acme'] {
  const { ACME_EMAIL: email, ACME_EAB_KID: kid, ACME_EAB_HMAC_KEY: hmacKey } = env;
  if (!email) {
    const other = (['ACME_DIRECTORY', 'ACME_CA_FILE', 'ACME_EAB_KID', 'ACME_EAB_HMAC_KEY'] as const).find(
      (name) => env[name] !== undefined,
    );
    if (other) throw new SettingError(`ACME_EMAIL must be set when ${other} is`);
    return undefined;
  }
  if (env.HTTPS_PORT === 0) throw new SettingError('HTTPS_PORT must be set when ACME_EMAIL is');
  if (!kid !== !hmacKey) throw new SettingError('ACME_EAB_KID and ACME_EAB_HMAC_KEY must be set together');
  return {
    directory: env.ACME_DIRECTORY ?? LETS_ENCRYPT,
    email,
    caFile: env.ACME_CA_FILE,
    binding: kid && hmacKey ? { kid, hmacKey } : undefined,
  };
}

const DEFAULT_REGION = 'us-east-1';

function s3Of(env: Environment): Settings['s3'] {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!bucket && !accessKeyId && !secretAccessKey && !env.S3_ENDPOINT) return undefined;
  if (!bucket || !accessKeyId || !secretAccessKey) {
    throw new SettingError('S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together');
  }
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_FORCE_PATH_STYLE: pathStyle } = env;
  return { bucket, ...serverOf({ accessKeyId, secretAccessKey, endpoint, region, pathStyle }) };
}

function serverOf({
  accessKeyId,
  secretAccessKey,
  endpoint,
  region = DEFAULT_REGION,
  pathStyle = endpoint ? '1' : '0',
}: {
  accessKeyId: string;
  secretAccessKey: string;
  endpoint: string | undefined;
  region: string | undefined;
  pathStyle: '0' | '1' | undefined;
}): BucketServer {
  return {
    ...{ region, accessKeyId, secretAccessKey, pathStyle: pathStyle === '1' },
    endpoint: endpoint ? new URL(endpoint) : undefined,
  };
}

function backupsOf(env: Environment): Settings['backups'] {
  const { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const {
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: region,
    BACKUP_S3_FORCE_PATH_STYLE: pathStyle,
  } = env;
  if (!accessKeyId !== !secretAccessKey || (endpoint && !accessKeyId)) {
    throw new SettingError('BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY must be set together');
  }
  const server =
    accessKeyId && secretAccessKey
      ? serverOf({ accessKeyId, secretAccessKey, endpoint, region, pathStyle })
      : undefined;
  return { target: env.BACKUP_URL, server, passphrase: env.BACKUP_PASSPHRASE, hour: env.BACKUP_HOUR };
}

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'gpt-5-mini';

function openaiOf(env: Environment): Settings['openai'] {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model } = env;
  if (apiKey) return { apiKey, baseUrl: baseUrl ?? DEFAULT_BASE_URL, model: model ?? DEFAULT_MODEL };
  if (!baseUrl && !model) return undefined;
  throw new SettingError(
    'OPENAI_API_KEY must be set when OPENAI_BASE_URL or OPENAI_MODEL is; use any value if the server needs no key',
  );
}

function ownUrlOf(env: Environment): URL {
  const host =
    env.HOST === '127.0.0.1' || env.HOST === '0.0.0.0' || env.HOST === '::' ? 'localhost' : env.HOST;
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${env.PORT}`);
}

/** Who mail is from where nobody says: a server that is known by its IP address alone has that in brackets (RFC 5321 §4.1.3). */
export function usualSender({ hostname }: URL): MailSettings['from'] {
  const name = hostname.replace(/^\[(.*)\]$/, 'IPv6:$1');
  const domain = ipaddr.isValid(hostname) || name !== hostname ? `[${name}]` : hostname;
  return { name: 'Nephos', address: `nephos@${domain}` };
}

export function mailOf(
  { SMTP_URL: url, MAIL_FROM: from }: Pick<Environment, 'SMTP_URL' | 'MAIL_FROM'>,
  publicUrl: URL,
): Settings['mail'] {
  return url ? { smtpUrl: new URL(url), from: from ?? usualSender(publicUrl) } : undefined;
}

/** Containers are reached at addresses of this machine, so their daemon is this machine's. */
function dockerHostOf({ DEPLOY_RUNTIME: runtime, DOCKER_HOST: host }: Environment): string {
  if (runtime !== 'process' && !host.startsWith('unix:///')) {
    throw new SettingError(
      'DOCKER_HOST must be the socket of a Docker daemon on this machine, like unix:///var/run/docker.sock',
    );
  }
  return host;
}

/** Docker's own driver makes of options without the volume's name one place for the disks of all. */
function diskDriverOf({ DISK_DRIVER: name, DISK_DRIVER_OPTIONS: options = {} }: Environment): DiskDriver {
  const isPlain = Object.keys(options).length === 0;
  if (name === LOCAL_DRIVER && !isPlain && !options.device?.endsWith('/{disk}')) {
    throw new SettingError(
      'DISK_DRIVER_OPTIONS must have a device that ends with /{disk}, like device=:/export/{disk}',
    );
  }
  return { name, options };
}

function dnsOf(
  env: Environment,
): Pick<
  Settings,
  'dnsPort' | 'dnsHost' | 'dnsNameservers' | 'dnsVerifyOwnership' | 'allowPrivateSecondaries'
> {
  return {
    dnsPort: env.DNS_PORT,
    dnsHost: env.DNS_HOST,
    dnsNameservers: env.DNS_NAMESERVERS?.split(',').map((name) => name.trim().toLowerCase()) ?? [],
    dnsVerifyOwnership: env.DNS_VERIFY_OWNERSHIP
      ? env.DNS_VERIFY_OWNERSHIP === '1'
      : !isLoopbackHost(env.DNS_HOST ?? env.HOST),
    allowPrivateSecondaries: env.ALLOW_PRIVATE_SECONDARIES,
  };
}

function fixedOf({
  PUBLIC_URL,
  SIGNUPS,
  BILLING,
  SMTP_URL,
}: Record<string, string | undefined>): Settings['fixed'] {
  return [
    ...(PUBLIC_URL ? (['publicUrl'] as const) : []),
    ...(SIGNUPS ? (['signups'] as const) : []),
    ...(BILLING ? (['billing'] as const) : []),
    ...(SMTP_URL ? (['mail'] as const) : []),
  ];
}

/** Throws `SettingError` for the first variable that cannot be used; empty ones count as absent. */
function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingError(`${issue?.path.join('.')} ${issue?.message}`);
}

/** Variables that are another machine's own, or open the backups that the others are kept in. */
const NOT_KEPT: ReadonlySet<string> = new Set(['PATH', 'NEPHOS_HOME', 'BACKUP_PASSPHRASE']);

function pick(source: Record<string, string | undefined>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (source[name] ? [[name, source[name]]] : [])));
}

/** Settings from the environment; empty variables count as absent. Throws `SettingError`. */
export function readSettings(source: Record<string, string | undefined>): Settings {
  const env = parseEnvironment(source);
  const ownUrl = ownUrlOf(env);
  const publicUrl = env.PUBLIC_URL ? new URL(new URL(env.PUBLIC_URL).origin) : ownUrl;
  const place = { host: env.HOST, publicUrl, trustProxy: env.TRUST_PROXY };
  if (env.RATE_LIMITS === 'off' && !isOnlyForThisMachine(place)) {
    throw new SettingError(
      'RATE_LIMITS=off is only allowed when HOST and PUBLIC_URL are loopback and TRUST_PROXY is not set',
    );
  }
  return {
    ...{ ...place, ownUrl, nextPublicUrl: undefined, isSetUp: false },
    port: env.PORT,
    httpsPort: env.HTTPS_PORT,
    acme: acmeOf(env),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    s3: s3Of(env),
    secretsKey: env.SECRETS_KEY,
    installed: { home: env.NEPHOS_HOME, releases: env.RELEASES },
    backups: backupsOf(env),
    appsDomain: env.APPS_DOMAIN,
    deployRuntime: env.DEPLOY_RUNTIME,
    dockerHost: dockerHostOf(env),
    diskDriver: diskDriverOf(env),
    allowProcessRuntime: env.ALLOW_PROCESS_RUNTIME,
    allowPrivateRepositories: env.ALLOW_PRIVATE_REPOSITORIES,
    allowPrivateWebhooks: env.ALLOW_PRIVATE_WEBHOOKS,
    builds: {
      memory: env.BUILD_MEMORY,
      disk: env.BUILD_DISK,
      cache: env.BUILD_CACHE,
      minutes: env.BUILD_TIMEOUT,
    },
    baseImages: {
      node: env.BASE_IMAGE_NODE,
      python: env.BASE_IMAGE_PYTHON,
      debian: env.BASE_IMAGE_DEBIAN,
      static: env.BASE_IMAGE_STATIC,
    },
    registryMirror: mirrorOf(env),
    billing: env.BILLING === 'on',
    signups: env.SIGNUPS,
    managedPostgresPort: env.MANAGED_POSTGRES_PORT,
    managedPostgresPooledPort: env.MANAGED_POSTGRES_POOLED_PORT,
    managedPgbouncerBin: env.MANAGED_PGBOUNCER_BIN,
    managedPostgresUrl: env.MANAGED_POSTGRES_URL,
    managedMysqlUrl: env.MANAGED_MYSQL_URL,
    managedMongodbUrl: env.MANAGED_MONGODB_URL,
    managedRedisUrl: env.MANAGED_REDIS_URL,
    managedRedisPort: env.MANAGED_REDIS_PORT,
    ...dnsOf(env),
    oidc: oidcOf(env),
    openai: openaiOf(env),
    stripe: stripeOf(env),
    mail: mailOf(env, place.publicUrl),
    metricsToken: env.METRICS_TOKEN,
    rateLimits: env.RATE_LIMITS === 'on',
    logLevel: env.LOG_LEVEL,
    fixed: fixedOf(source),
    variables: pick(
      source,
      [...Object.keys(Environment.shape), ...HOST_VARIABLES].filter((name) => !NOT_KEPT.has(name)),
    ),
    hostEnvironment: pick(source, HOST_VARIABLES),
  };
}
