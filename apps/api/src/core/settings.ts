import type { Signups } from '@nephos/contracts/constants';
import type { GroupRoles } from './environment.ts';

/** What the server is told at its start, of its environment and by its administrators. */
export interface Settings {
  port: number;
  host: string;
  /** The port of HTTPS, with certificates of ours; 0 is off. */
  httpsPort: number;
  /** Sockets to take in the place of those ports, where the service manager has opened them. */
  inherited?: InheritedSockets;
  /** The authority that certificates come from; absent: people add their own. */
  acme: AcmeSettings | undefined;
  /** Origin that browsers use; derived from host and port when not set. */
  publicUrl: URL;
  /** The origin that host and port make, whatever browsers use. */
  ownUrl: URL;
  /** What `publicUrl` is from the next start on, as administrators decided since this one; absent: the same. */
  nextPublicUrl: URL | undefined;
  /** Whether the first steps of a new installation were done, or skipped. */
  isSetUp: boolean;
  /** Absolute. */
  dataDir: string;
  /** Our own data; absent: embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** Where objects are stored; absent: in `dataDir`. */
  s3: S3Settings | undefined;
  secretsKey: string | undefined;
  /** Where releases lie that were installed by `install.sh`, and where newer ones come from. */
  installed: { home: string | undefined; releases: string | undefined };
  backups: BackupSettings;
  /** Apps answer at `<slug>.<appsDomain>`. */
  appsDomain: string;
  deployRuntime: 'process' | 'docker' | 'swarm';
  /** The socket of the Docker daemon of this machine, `unix:///…`. */
  dockerHost: string;
  diskDriver: DiskDriver;
  /** Lets members run code on a server that others can reach. */
  allowProcessRuntime: boolean;
  /** Admits http, file, loopback and private addresses as repositories. */
  allowPrivateRepositories: boolean;
  /** Admits private addresses, http and any port as places where alerts are told. */
  allowPrivateWebhooks: boolean;
  /** What one build may use: MB and minutes; `cache` is what a project's builds keep for the next one. */
  builds: { memory: number; disk: number; cache: number; minutes: number };
  /** What generated Dockerfiles begin with; `{version}` stands for the version of Node.js or Python. */
  baseImages: { node: string; python: string; debian: string; static: string };
  /** The registry that is pulled through; absent: none. */
  registryMirror: MirrorSettings | undefined;
  /** Whether trials, plans and their limits apply, and cards are charged. */
  billing: boolean;
  /** Who may make an account after the first: anyone, whoever has an invitation, or nobody. */
  signups: Signups;
  /** Addresses of reverse proxies whose `X-Forwarded-For` is believed. */
  trustProxy: string | undefined;
  /** The port of the cluster that holds people's PostgreSQL databases; 0 takes a free one. */
  managedPostgresPort: number;
  /** Where the same databases are reached by way of PgBouncer; 0 takes a free one. */
  managedPostgresPooledPort: number;
  /** The program of PgBouncer; the one that is installed where it is undefined. */
  managedPgbouncerBin: string | undefined;
  /** Servers with an administrator's name and password, in the place of what we start ourselves. */
  managedPostgresUrl: string | undefined;
  managedMysqlUrl: string | undefined;
  managedMongodbUrl: string | undefined;
  managedRedisUrl: string | undefined;
  /** The port of people's Redis databases; 0 takes a free one. */
  managedRedisPort: number;
  /** The port of the name server, UDP and TCP; 0 is off. */
  dnsPort: number;
  /** IP address that the name server binds; absent: that of `host`. */
  dnsHost: string | undefined;
  /** Host names that the NS records at each apex give; empty: one derived from `publicUrl`. */
  dnsNameservers: readonly string[];
  /**
   * Whether a domain is served only once its ownership was proved by a TXT record; where it is not set, on every
   * address that others can reach, since anyone could claim anyone's domain there.
   */
  dnsVerifyOwnership: boolean;
  /** Admits private addresses, and any port, as name servers that copy domains. */
  allowPrivateSecondaries: boolean;
  /** OpenID Connect providers that people log in with, as the log-in page lists them. */
  oidc: readonly OidcSettings[];
  /** Absent: card payments go to the sandbox. */
  stripe: StripeSettings | undefined;
  /** The model server that answers for the assistant; absent: rules of our own. */
  openai: { apiKey: string; baseUrl: string; model: string } | undefined;
  /** The server that sends mail; absent: none is sent. */
  mail: MailSettings | undefined;
  /** Bearer token that `/metrics` asks for; absent: it answers only while nobody else reaches us. */
  metricsToken: string | undefined;
  rateLimits: boolean;
  logLevel: string;
  /** Those that are set, and that administrators do not change therefore. */
  fixed: readonly ('publicUrl' | 'signups' | 'billing' | 'mail')[];
  /** The variables that were set, as they were set, for backups alone: there are secrets among them. */
  variables: Readonly<Record<string, string>>;
  /** Those of `HOST_VARIABLES` that are set. */
  hostEnvironment: Readonly<Record<string, string>>;
}

/** What the service manager may listen for. */
export const SOCKET_NAMES = ['http', 'https', 'dns-udp', 'dns-tcp'] as const;

/**
 * Descriptors of sockets that listen already. The service manager holds them as well, so while this process is replaced
 * by another, who connects waits instead of being refused.
 */
export type InheritedSockets = Partial<Record<(typeof SOCKET_NAMES)[number], number>>;

export interface OidcSettings {
  /** In the addresses of its log-in. */
  id: string;
  /** What people call it. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Space-separated, what is asked of it. */
  scope: string;
  /** The claim that names somebody's groups. */
  groupsClaim: string;
  /** What each group makes of its people; others make nothing. */
  groups: GroupRoles;
}

/** The provider of `OIDC_ISSUER`, whose addresses have no name in them. */
export const DEFAULT_OIDC = 'default';

export interface MirrorSettings {
  /** For example `https://registry-1.docker.io`. */
  url: URL;
  username: string | undefined;
  password: string | undefined;
  /** Bytes that are kept of it at most. */
  size: number;
}

export interface StripeSettings {
  secretKey: string;
  /** It is of the same mode as the secret key: test or live. */
  publishableKey: string;
  webhookSecret: string;
  /** Another server that speaks Stripe's API; absent: Stripe's own. */
  apiBase: URL | undefined;
}

/** A certificate authority that speaks ACME (RFC 8555). */
export interface AcmeSettings {
  directory: string;
  /** Where the authority writes to. Giving it agrees to the authority's terms. */
  email: string;
  /** PEM: who vouches for the directory's own certificate, besides those that Node knows. */
  caFile: string | undefined;
  /** What ties our account to one that the operator has there (RFC 8555 §7.3.4); the key as base64url. */
  binding: { kid: string; hmacKey: string } | undefined;
}

/** Backups of the whole installation. */
export interface BackupSettings {
  /** Where they go, see `readBackupPlace`. */
  target: string | undefined;
  /** The server of the bucket that they go to. */
  server: BucketServer | undefined;
  /** What opens them besides the recovery key. */
  passphrase: string | undefined;
  /** The hour of UTC at which one is made. */
  hour: number;
}

/** A bucket of a server that speaks S3. */
export interface S3Settings extends BucketServer {
  bucket: string;
}

/** A server that speaks S3, and an access key there. */
export interface BucketServer {
  /** Absent: Amazon's own. */
  endpoint: URL | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket is named in the path, not in the host name. */
  pathStyle: boolean;
}

export interface MailSettings {
  /** `smtp:` or `smtps:`, with name and password percent-encoded. */
  smtpUrl: URL;
  from: { name: string; address: string };
}

/** What makes the Docker volumes of apps' disks; in its options `{disk}` stands for a volume's name. */
export interface DiskDriver {
  name: string;
  options: Readonly<Record<string, string>>;
}

/** Docker's own driver. Without options its volumes are folders of the machine that they are made on. */
export const LOCAL_DRIVER = 'local';

/** A setting that cannot be used; its message is one line that names the variable. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
