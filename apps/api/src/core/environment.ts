import { SIGNUPS, WORKSPACE_ROLES } from '@nephos/contracts/constants';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { readBackupPlace } from './backup-place.ts';

/** Environment variables are text, so each is parsed from text by its own rule. */
const choice = z.enum(['0', '1'], 'must be 0 or 1');

const flag = choice.default('0').transform((value) => value === '1');

const port = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value <= 65_535, 'must be a port number from 0 to 65535');

const wholeNumber = (fallback: number, least: number, most: number, unit: string) =>
  z
    .string()
    .regex(/^\d{1,7}$/, `must be a whole number of ${unit}`)
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most} ${unit}`);

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** The address of a database server that we administer, with the user name and password of an administrator. */
const serverUrl = (...schemes: string[]) =>
  z
    .url({
      protocol: new RegExp(`^(${schemes.join('|').replaceAll('+', '\\+')})$`),
      error: `must be a ${schemes[0]}:// URL`,
    })
    .optional();

/** Names in the addresses of the first provider. */
const RESERVED_PROVIDERS = ['callback', 'default'];

/** JSON of a shape, in which secrets may be: what does not fit is named, and never shown. */
const json = <T extends z.ZodType>(shape: T, fallback: string, error: string) =>
  z
    .string()
    .default(fallback)
    .transform((text, ctx): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        ctx.addIssue(error);
        return z.NEVER;
      }
    })
    .pipe(shape);

const NO_GROUPS = 'must be a JSON object of groups and their roles';

const GroupRoles = z.record(
  z.string().min(1).max(200),
  z.strictObject({
    /** An admin of the installation. */
    admin: z.boolean().default(false),
    /** Roles in workspaces, by their ids. */
    workspaces: z
      .record(
        z.uuid(),
        z.enum(WORKSPACE_ROLES, 'must be a role of workspaces'),
        'must be the id of a workspace with a role',
      )
      .default({}),
  }),
  NO_GROUPS,
);
export type GroupRoles = z.output<typeof GroupRoles>;

const scope = z
  .string()
  .regex(/^openid( [!#-[\]-~]+)*$/, 'must be scopes between spaces, openid first')
  .default('openid email profile');
const groupsClaim = z.string().min(1).max(100).default('groups');

const OidcProvider = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'must be lower-case letters, digits and dashes')
    .refine((id) => !RESERVED_PROVIDERS.includes(id), 'is taken, choose another one'),
  name: z.string().trim().min(1).max(60),
  issuer: httpUrl,
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  ...{ scope, groupsClaim, groups: GroupRoles.default({}) },
});

const NO_LIST = 'must be a JSON list of providers';
const oidcProviders = json(
  z.array(OidcProvider, NO_LIST).max(10, 'can name up to 10 providers'),
  '[]',
  NO_LIST,
);

const HOST_NAME =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

const region = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'must be the name of a region, like eu-central-1')
  .optional();
const accessKey = z
  .string()
  .regex(/^[!-~]+$/, 'must be printable characters without spaces')
  .optional();

/** Addresses and networks, or `loopback`, between commas. */
function isProxyList(text: string): boolean {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .every((entry) => {
      // Not the short spellings of IPv4, by which a number of hops would be an address.
      const [address = ''] = entry.split('/');
      const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
      return entry === 'loopback' || (isAddress && (entry === address || ipaddr.isValidCIDR(entry)));
    });
}

const IMAGE = /^[a-z0-9][a-z0-9.-]*(:\d{1,5})?(\/[a-z0-9._/-]+)?(:[\w.{}-]{1,128})?(@sha256:[0-9a-f]{64})?$/;

/** An image that builds begin with; `{version}` stands for the version of its language, or the name of Debian's release. */
const baseImage = (fallback: string) =>
  z
    .string()
    .refine(
      (image) => IMAGE.test(image) && !/[{}]/.test(image.replaceAll('{version}', '')),
      'must be an image, like registry.example.com/node:{version}',
    )
    .default(fallback);

const OPTIONS = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g;

/** Pairs as those of `docker service create --mount`: CSV (RFC 4180), so a pair with a comma in it is in quotes. */
function parseOptions(text: string): Record<string, string> | undefined {
  const found = [...text.matchAll(OPTIONS)];
  if (found.map(([all]) => all).join('') !== text) return undefined;
  const pairs = found.map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim());
  if (!pairs.every((pair) => /^[\w.-]+=./.test(pair))) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair.split('=', 1)[0], pair.slice(pair.indexOf('=') + 1)]));
}

/** The address of a server for mail; `?tls=` says whether what is sent there has to be encrypted. */
const smtpUrl = z
  .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' })
  .refine((text) => {
    // What is no address at all was refused above, and comes here nevertheless.
    if (!URL.canParse(text)) return true;
    const { hostname, pathname, search, username, password } = new URL(text);
    const isEncoded = [username, password].every((part) => !/%(?![0-9a-f]{2})/i.test(part));
    return hostname !== '' && /^\/?$/.test(pathname) && /^(\?tls=(off|required))?$/.test(search) && isEncoded;
  }, 'must be like smtp://name:password@smtp.example.com:587, with reserved characters percent-encoded')
  .optional();

const SENDER = /^(?:([^<>"\p{Cc}]*?) *<([^<>\p{Cc}]+)>|([^<>\p{Cc}]+))$/u;

/** Who mail is from: an address, or a name and an address in angle brackets. */
const sender = z
  .string()
  .transform((text) => {
    const [, name = '', inBrackets, alone = ''] = SENDER.exec(text.trim()) ?? [];
    return { name: name.trim(), address: inBrackets ?? alone };
  })
  .refine(
    ({ address }) => z.email().safeParse(address).success,
    'must be an address, like Nephos <nephos@example.com>',
  )
  .optional();

/** The variables that are read, each with what is said of a value that cannot be used. */
export const Environment = z.object({
  PORT: port(3000),
  HTTPS_PORT: port(0),
  HOST: z.string().min(1).default('127.0.0.1'),
  ACME_DIRECTORY: z.url({ protocol: /^https$/, error: 'must be an https URL' }).optional(),
  ACME_EMAIL: z.email('must be an email address').optional(),
  ACME_CA_FILE: z.string().min(1).optional(),
  ACME_EAB_KID: z.string().min(1).optional(),
  ACME_EAB_HMAC_KEY: z
    .string()
    .regex(/^[\w-]+={0,2}$/, 'must be base64url, as the certificate authority gives it')
    .optional(),
  PUBLIC_URL: httpUrl.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: region,
  S3_ACCESS_KEY_ID: accessKey,
  S3_SECRET_ACCESS_KEY: accessKey,
  S3_FORCE_PATH_STYLE: choice.optional(),
  NEPHOS_HOME: z.string().min(1).optional(),
  RELEASES: z
    .string()
    .regex(/^(https:\/\/|\/)\S+$/, 'must be an https URL or an absolute path')
    .optional(),
  BACKUP_URL: z
    .string()
    .refine((text) => readBackupPlace(text) !== undefined, 'must be an absolute path or s3://bucket/prefix')
    .optional(),
  BACKUP_S3_ENDPOINT: httpUrl.optional(),
  BACKUP_S3_REGION: region,
  BACKUP_S3_ACCESS_KEY_ID: accessKey,
  BACKUP_S3_SECRET_ACCESS_KEY: accessKey,
  BACKUP_S3_FORCE_PATH_STYLE: choice.optional(),
  BACKUP_PASSPHRASE: z.string().optional(),
  BACKUP_HOUR: wholeNumber(3, 0, 23, 'the hour of UTC'),
  SECRETS_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
    .optional(),
  APPS_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, 'must be a lowercase domain name')
    .default('localhost'),
  DEPLOY_RUNTIME: z
    .enum(['process', 'docker', 'swarm'], 'must be process, docker or swarm')
    .default('process'),
  DOCKER_HOST: z.string().default('unix:///var/run/docker.sock'),
  DISK_DRIVER: z
    .string()
    .regex(/^[a-zA-Z0-9][\w./:-]*$/, 'must be the name of a Docker volume driver')
    .default('local'),
  DISK_DRIVER_OPTIONS: z
    .string()
    .transform(parseOptions)
    .refine((options) => options !== undefined, 'must be comma-separated pairs, like key=value')
    .optional(),
  REGISTRY_MIRROR: httpUrl.optional(),
  REGISTRY_MIRROR_USERNAME: z.string().min(1).optional(),
  REGISTRY_MIRROR_PASSWORD: z.string().min(1).optional(),
  REGISTRY_MIRROR_SIZE: wholeNumber(10_240, 100, 9_999_999, 'MB'),
  ALLOW_PROCESS_RUNTIME: flag,
  ALLOW_PRIVATE_REPOSITORIES: flag,
  BUILD_MEMORY: wholeNumber(2048, 256, 262_144, 'MB'),
  BUILD_DISK: wholeNumber(3072, 256, 1_048_576, 'MB'),
  BUILD_CACHE: wholeNumber(1024, 0, 1_048_576, 'MB'),
  BUILD_TIMEOUT: wholeNumber(15, 1, 240, 'minutes'),
  BASE_IMAGE_NODE: baseImage('node:{version}-bookworm-slim'),
  BASE_IMAGE_PYTHON: baseImage('python:{version}-slim-bookworm'),
  BASE_IMAGE_DEBIAN: baseImage('debian:{version}-slim'),
  BASE_IMAGE_STATIC: baseImage('nginxinc/nginx-unprivileged:stable-alpine'),
  BILLING: z.enum(['on', 'off'], 'must be on or off').default('on'),
  SIGNUPS: z.enum(SIGNUPS, 'must be open, invite or closed').default('open'),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList, 'must be a comma-separated list of addresses, networks like 10.0.0.0/8, or loopback')
    .optional(),
  MANAGED_POSTGRES_PORT: port(5433),
  MANAGED_POSTGRES_POOLED_PORT: port(5434),
  MANAGED_PGBOUNCER_BIN: z.string().startsWith('/', 'must be the absolute path of a program').optional(),
  MANAGED_POSTGRES_URL: serverUrl('postgres', 'postgresql'),
  MANAGED_MYSQL_URL: serverUrl('mysql', 'mariadb'),
  MANAGED_MONGODB_URL: z
    .string()
    // There may be several hosts between commas, which no URL parser takes.
    .regex(/^mongodb(\+srv)?:\/\/([^@/?\s]+@)?[^@/?\s]+(\/[^?\s]*)?(\?\S*)?$/, 'must be a mongodb:// URL')
    .optional(),
  MANAGED_REDIS_URL: serverUrl('redis', 'rediss'),
  MANAGED_REDIS_PORT: port(6380),
  DNS_PORT: port(5353),
  DNS_HOST: z
    .string()
    .refine((host) => ipaddr.isValid(host), 'must be an IP address')
    .optional(),
  DNS_NAMESERVERS: z
    .string()
    .refine(
      (list) => list.split(',').every((name) => HOST_NAME.test(name.trim())),
      'must be comma-separated host names',
    )
    .optional(),
  DNS_VERIFY_OWNERSHIP: choice.optional(),
  ALLOW_PRIVATE_SECONDARIES: flag,
  ALLOW_PRIVATE_WEBHOOKS: flag,
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_NAME: z.string().min(1).default('single sign-on'),
  OIDC_SCOPE: scope,
  OIDC_GROUPS_CLAIM: groupsClaim,
  OIDC_GROUPS: json(GroupRoles, '{}', NO_GROUPS),
  OIDC_PROVIDERS: oidcProviders,
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, 'must be a secret key, like sk_test_… or sk_live_…')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key, like pk_test_… or pk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be a webhook signing secret, like whsec_…')
    .optional(),
  STRIPE_API_BASE: httpUrl.optional(),
  OPENAI_API_KEY: z
    .string()
    .regex(/^[!-~]+$/, 'must be printable characters without spaces')
    .optional(),
  OPENAI_BASE_URL: httpUrl.optional(),
  OPENAI_MODEL: z.string().min(1).optional(),
  SMTP_URL: smtpUrl,
  MAIL_FROM: sender,
  METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
});

export type Environment = z.output<typeof Environment>;
