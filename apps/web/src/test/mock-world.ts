import type {
  AccessToken,
  Alert,
  AlertChannel,
  AlertDelivery,
  AlertPreferences,
  AppProcess,
  AppRun,
  AuditRecord,
  Beneficiary,
  Bucket,
  BucketRules,
  BuildConfig,
  BuildFiles,
  CommitStatus,
  Connections,
  ContainerImage,
  ContainerImageDetail,
  ContainerRuntime,
  CountedStatements,
  CronJob,
  CustomDomain,
  DatabaseEngineState,
  DatabaseExtension,
  DatabaseFigures,
  DatabaseImport,
  DatabaseMemory,
  DatabaseMoveState,
  DatabasePast,
  DatabaseSessions,
  DatabaseUsage,
  DatabaseUser,
  DeployKey,
  Deployment,
  Disk,
  DiskSupport,
  DnsAnswer,
  DnsChange,
  DnsImportPlan,
  DnsRecord,
  DnsSecondaries,
  EmailChange,
  FactorDemand,
  Factors,
  FileVersion,
  GatewayTransaction,
  ImageRepository,
  Installation,
  LogLine,
  ManagedDatabase,
  MarketplaceItem,
  Member,
  Metrics,
  MobileApp,
  NameServer,
  ParentDelegation,
  Preview,
  PreviewSettings,
  Project,
  ProjectActivity,
  ProjectEvent,
  PushDelivery,
  PushHook,
  Rail,
  RegistryAddress,
  RetentionRule,
  Session,
  SignedInUser,
  SignInConsent,
  StatementLine,
  StorageKey,
  StoredFile,
  TrashedFile,
  TrialBalance,
  UntaggedImage,
  Variable,
  VariableGroup,
  VirtualAccount,
  Workspace,
  WorkspaceContents,
  WorkspaceInvitation,
  WorkspaceInvitationState,
  ZoneKey,
} from '@nephos/contracts';
import { ALERT_KINDS, DETECTED_SETTINGS, MAX_SEARCHED_LINES } from '@nephos/contracts/constants';
import { type MockAdmin, mockAdminWorld } from './mock-admin.ts';
import { type MockAssistant, mockAssistantWorld } from './mock-assistant.ts';
import { type MockBilling, mockBillingWorld } from './mock-billing.ts';
import { mockCommitStatus } from './mock-commit-statuses.ts';
import { mockDeployKey } from './mock-deploy-keys.ts';
import { mockPreviewSettings } from './mock-previews.ts';
import { mockPushHook } from './mock-push-hooks.ts';
import { mockMember, mockWorkspace } from './mock-workspaces.ts';

/** What the mock API answers from, and what it was asked to do. Tests read and change it freely. */
export interface MockWorld {
  /** Null: nobody is signed in. */
  user: SignedInUser | null;
  workspaces: Workspace[];
  members: Member[];
  workspaceInvitations: WorkspaceInvitation[];
  workspaceContents: WorkspaceContents;
  /** What every link is good for. */
  invitation: WorkspaceInvitationState;
  projects: Project[];
  deployments: Deployment[];
  processes: AppProcess[];
  disks: Disk[];
  domains: CustomDomain[];
  /** Whether apps answer by https. */
  servesHttps: boolean;
  /** Whether the next check of a domain finds its proof. */
  domainProofSeen: boolean;
  versions: FileVersion[];
  /** What the beginning of an upload waits for. */
  uploadGate: Promise<void> | null;
  /** Which files the site of a bucket answers with; null while it is off. */
  site: { index: string; notFound: string | null } | null;
  diskSupport: DiskSupport;
  /** Whether all machines have them. */
  disksShared: boolean;
  events: ProjectEvent[];
  /** Every project's log, oldest line first. */
  logLines: LogLine[];
  /** Every project's, whatever the range. */
  metrics: Metrics;
  activity: ProjectActivity[];
  cronJobs: CronJob[];
  runs: AppRun[];
  variables: Variable[];
  variableGroups: VariableGroup[];
  /** Every project's. */
  pushHook: PushHook;
  commitStatus: CommitStatus;
  alerts: Alert[];
  alertChannels: AlertChannel[];
  alertDeliveries: AlertDelivery[];
  alertPreferences: AlertPreferences;
  previewSettings: PreviewSettings;
  previews: Preview[];
  deployKey: DeployKey;
  deliveries: PushDelivery[];
  sessions: Session[];
  connections: Connections;
  emailChange: EmailChange;
  signInConsent: SignInConsent;
  tokens: AccessToken[];
  factors: Factors;
  /** Of all, and of the members of each workspace. */
  factorDemand: FactorDemand;
  files: StoredFile[];
  /** The bytes of files, as text, by id; those of others are lost. */
  contents: Record<string, string>;
  images: ContainerImage[];
  /** What every image consists of and what refers to it. */
  platforms: ContainerImageDetail['platforms'];
  referrers: ContainerImageDetail['referrers'];
  deletion: ContainerImageDetail['deletion'];
  keptBecause: string;
  retentionRule: RetentionRule | null;
  /** An image's repository is the one of its name, or holds nothing untagged. */
  repositories: ImageRepository[];
  /** Untagged images of each repository; each frees as much as it has. */
  untagged: UntaggedImage[];
  registry: RegistryAddress;
  databases: ManagedDatabase[];
  databaseMemory: DatabaseMemory;
  databaseMoveState: DatabaseMoveState;
  /** The projects that use every database. */
  databaseProjects: { id: string; name: string }[];
  /** The connection string of every database. */
  connectionString: string;
  pooledConnectionString: string | null;
  notPooled: string;
  databaseUsage: DatabaseUsage;
  /** Every database's, whatever the range. */
  databaseFigures: DatabaseFigures;
  countedStatements: CountedStatements;
  databaseSessions: DatabaseSessions;
  databaseEngines: DatabaseEngineState[];
  /** What every database can have added. */
  databaseExtensions: DatabaseExtension[];
  /** What was imported into every database, newest first. */
  databaseImports: DatabaseImport[];
  /** The further users of every database. */
  databaseUsers: DatabaseUser[];
  buckets: Bucket[];
  storageKeys: StorageKey[];
  /** Of each bucket. */
  bucketRules: Omit<BucketRules, 'revision'>;
  uploads: { id: string; fileName: string; filePath: string; bucketId: string; parts: Map<number, number> }[];
  trash: TrashedFile[];
  /** Numbers of parts in the order in which they arrived. */
  sentParts: number[];
  /** The part that does not get in. */
  refusedPart: number | null;
  /** How the past of every database is another than a week of backups. */
  databasePast: Partial<DatabasePast>;
  records: DnsRecord[];
  /** Those that lead to every project and domain. */
  leadingRecords: DnsRecord[];
  /** Domains of projects whose records are kept here. */
  servedDomains: string[];
  /** Domains whose ownership is not proved. */
  pendingDomains: string[];
  /** Domains whose proof is gone. */
  unprovenDomains: string[];
  /** Whether the next check of such a proof finds it. */
  proofSeen: boolean;
  /** What differs in every answer of the name server from one that serves the record. */
  dnsAnswer: Partial<DnsAnswer>;
  nameServer: NameServer;
  importPlan: DnsImportPlan;
  dnsChanges: DnsChange[];
  /** Keys of every domain. */
  zoneKeys: ZoneKey[];
  parentDelegation: ParentDelegation;
  dnsSecondaries: DnsSecondaries;
  mobileApps: MobileApp[];
  /** What every generation gives. */
  buildConfig: BuildConfig;
  buildFiles: BuildFiles;
  items: MarketplaceItem[];
  installations: Installation[];
  virtualAccounts: VirtualAccount[];
  /** The lines of every virtual account, newest first. */
  statement: StatementLine[];
  /** Lines after which a search of the statement stops. */
  searchedLines: number;
  transactions: GatewayTransaction[];
  beneficiaries: Beneficiary[];
  rail: Rail;
  trialBalance: TrialBalance;
  billing: MockBilling;
  admin: MockAdmin;
  auditRecords: AuditRecord[];
  assistant: MockAssistant;
  runtimes: { framework: Project['framework']; available: boolean; reason: string }[];
  containerRuntime: ContainerRuntime;
  /** Whether the server says that it can answer. */
  ready: boolean;
  /** Calls that are refused, by `domain.procedure`. */
  refusals: Record<string, MockRefusal>;
  /** Uploads are refused. */
  uploadRefusal: { status: number; message: string } | null;
  /** Calls that are answered only once the promise is fulfilled, by `domain.procedure` or as `upload`. */
  delays: Record<string, Promise<void>>;
  /** Each call that reached its handler, in order. */
  calls: { path: string; input: unknown }[];
}

export interface MockRefusal {
  code:
    | 'BAD_REQUEST'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'CONFLICT'
    | 'UNPROCESSABLE_CONTENT'
    | 'TOO_MANY_REQUESTS'
    | 'SERVICE_UNAVAILABLE'
    | 'INTERNAL_SERVER_ERROR';
  reason: string;
  message: string;
  fields?: { path: string; message: string }[];
}

export const PROJECT_ID = '0197a000-0000-7000-8000-000000000001';

export const UNAUTHORIZED: MockRefusal = {
  code: 'UNAUTHORIZED',
  reason: 'UNAUTHORIZED',
  message: 'Unauthorized',
};

/** What a server answers whose database is away. */
export const BROKEN: MockRefusal = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
};

/** The id of the nth thing of a kind; greater numbers are newer. */
export function idOf(number: number): string {
  return `0197a000-0000-7000-9000-${String(number).padStart(12, '0')}`;
}

const USER_ID = '0197a000-0000-7000-8000-00000000000a';

export function mockUser(changes: Partial<SignedInUser> = {}): SignedInUser {
  return {
    id: USER_ID,
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    profileImageUrl: null,
    handle: 'ada',
    role: 'member',
    trialActive: true,
    trialEndDate: '2026-12-01T00:00:00.000Z',
    createdAt: '2026-11-17T00:00:00.000Z',
    workspace: { id: USER_ID, name: 'Ada Lovelace', personal: true, role: 'owner' },
    impersonator: null,
    ...changes,
  };
}

export function mockMobileApp(changes: Partial<MobileApp> = {}): MobileApp {
  return {
    id: idOf(1),
    name: 'Pocket weather',
    platform: 'both',
    bundleId: 'com.example.weather',
    version: '1.0.0',
    buildNumber: 1,
    androidMinSdk: 21,
    androidTargetSdk: 34,
    iosTeamId: '',
    deploymentMethod: 'manual',
    repositoryUrl: '',
    branch: 'main',
    buildStatus: 'draft',
    buildConfig: null,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export function mockItem(changes: Partial<MarketplaceItem> = {}): MarketplaceItem {
  return {
    id: 'postgresql-database',
    name: 'PostgreSQL database',
    description: 'A database of your own.',
    category: 'Databases',
    isTemplate: false,
    installCount: 0,
    version: '1.0.0',
    creates: [{ kind: 'database', label: 'PostgreSQL database' }],
    needs: [],
    inputs: [],
    app: null,
    ...changes,
  };
}

export function mockInstallation(changes: Partial<Installation> = {}): Installation {
  return {
    id: idOf(1),
    itemId: 'postgresql-database',
    version: '1.0.0',
    status: 'installed',
    step: 1,
    steps: 1,
    doing: '',
    error: '',
    receipt: [],
    url: '',
    upgrade: null,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

/** Where the mock's projects are pushed to. */
export const MOCK_PUSH_URL = 'http://localhost:3000/git/barometer.git';

export function mockProject(changes: Partial<Project> = {}): Project {
  return {
    id: PROJECT_ID,
    name: 'Weather station',
    description: 'Readings from the roof',
    repositoryUrl: 'https://git.example.com/ada/weather.git',
    pushUrl: null,
    pushed: false,
    template: null,
    recipe: null,
    image: '',
    imageDigest: null,
    hasRepositoryToken: false,
    hasImageCredentials: false,
    hasDockerfile: false,
    branch: 'main',
    framework: 'nodejs',
    healthPath: '',
    settings: DETECTED_SETTINGS,
    detected: null,
    slug: 'weather-station',
    url: 'http://weather-station.localhost:3000',
    state: changes.liveDeploymentId ? 'running' : stateOf(changes.latestDeployment),
    latestDeployment: null,
    liveDeploymentId: null,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

function stateOf(latest: Project['latestDeployment'] | undefined): Project['state'] {
  return !latest || latest.status === 'cancelled' ? 'none' : latest.status;
}

export function mockDeployment(changes: Partial<Deployment> = {}): Deployment {
  return {
    id: idOf(1),
    projectId: PROJECT_ID,
    kind: 'deploy',
    status: 'running',
    live: (changes.status ?? 'running') === 'running',
    step: null,
    error: null,
    image: '',
    imageDigest: null,
    cause: '',
    branch: 'main',
    commit: '4f2a9c81d0b7e6a5c4f3e2d1c0b9a8f7e6d5c4b3',
    commitMessage: 'Read the barometer',
    rollbackOf: null,
    releaseKept: true,
    createdAt: '2026-11-20T10:00:00.000Z',
    startedAt: '2026-11-20T10:00:01.000Z',
    finishedAt: '2026-11-20T10:00:43.000Z',
    ...changes,
  };
}

export function mockLogLine(changes: Partial<LogLine> = {}): LogLine {
  return {
    line: 1,
    at: '2026-11-20T10:00:00.000Z',
    stream: 'stdout',
    process: 'web',
    instance: 1,
    deploymentId: idOf(1),
    text: 'listening',
    ...changes,
  };
}

export function mockSession(changes: Partial<Session> = {}): Session {
  return {
    id: idOf(501),
    current: true,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    device: 'Firefox on Linux',
    ipAddress: '192.0.2.7',
    place: 'Germany',
    createdAt: '2026-11-20T10:00:00.000Z',
    expiresAt: '2026-11-30T10:00:00.000Z',
    ...changes,
  };
}

export function mockFactors(changes: Partial<Factors> = {}): Factors {
  return {
    ...{ passwordSet: true, totp: false, recoveryCodesLeft: 0, passkeys: [] },
    demandedBy: { installation: false, workspaces: [] },
    ...changes,
  };
}

export function mockToken(changes: Partial<AccessToken> = {}): AccessToken {
  return {
    id: idOf(601),
    name: 'laptop',
    scope: 'write',
    workspaceId: USER_ID,
    resource: null,
    createdAt: '2026-11-20T10:00:00.000Z',
    expiresAt: '2027-02-18T10:00:00.000Z',
    lastUsedAt: '2026-11-20T11:00:00.000Z',
    ...changes,
  };
}

export function mockFile(changes: Partial<StoredFile> = {}): StoredFile {
  return {
    id: idOf(701),
    fileName: 'chart.png',
    filePath: '/uploads/',
    fileSize: 1536,
    mimeType: 'image/png',
    isPublic: false,
    createdAt: '2026-11-20T10:00:00.000Z',
    uploadedAt: '2026-11-20T10:00:00.000Z',
    publicUrl: null,
    ...changes,
  };
}

export function mockImage(changes: Partial<ContainerImage> = {}): ContainerImage {
  return {
    id: idOf(801),
    name: 'ada/weather',
    tag: 'latest',
    isPublic: false,
    size: 5 * 1024 * 1024,
    pullCount: 3,
    digest: `sha256:${'4f'.repeat(32)}`,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    pushedAt: '2026-11-20T10:00:00.000Z',
    createdAt: '2026-11-20T09:00:00.000Z',
    ...changes,
  };
}

export function mockRepository(changes: Partial<ImageRepository> = {}): ImageRepository {
  const deletion = { manifests: 3, blobs: 4, size: 84 * 1024 * 1024 };
  return {
    id: idOf(851),
    name: 'ada/weather',
    isPublic: false,
    tags: 1,
    size: 90 * 1024 * 1024,
    untagged: { images: 2, recent: 0, needed: 0, deletion },
    ...changes,
  };
}

export function mockUntagged(changes: Partial<UntaggedImage> = {}): UntaggedImage {
  return {
    id: idOf(861),
    digest: `sha256:${'9a'.repeat(32)}`,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    artifactType: 'application/vnd.oci.image.config.v1+json',
    subject: null,
    size: 42 * 1024 * 1024,
    pushedAt: '2026-11-19T10:00:00.000Z',
    isRecent: false,
    keptBecause: '',
    ...changes,
  };
}

export function mockDatabase(changes: Partial<ManagedDatabase> = {}): ManagedDatabase {
  return {
    id: idOf(901),
    name: 'orders',
    type: 'postgresql',
    region: 'us-east-1',
    storageSize: 10,
    status: 'available',
    error: '',
    passwordChanged: false,
    activity: 'asleep',
    version: '18.4',
    sleepAfter: 5,
    sizeClass: 'small',
    storageState: 'ok',
    freeingUntil: null,
    work: null,
    workPercent: null,
    workError: '',
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export function mockRecord(changes: Partial<DnsRecord> = {}): DnsRecord {
  return {
    id: idOf(1001),
    domain: 'example.test',
    recordType: 'A',
    name: '@',
    value: '192.0.2.1',
    ttl: 3600,
    projectId: null,
    bucketId: null,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export function mockVirtualAccount(changes: Partial<VirtualAccount> = {}): VirtualAccount {
  return {
    id: idOf(1101),
    accountName: 'Engine works',
    bankName: 'Virtual Bank',
    accountNumber: '0123456789',
    balance: 125_000,
    pending: 0,
    currency: 'USD',
    holdsTestFunds: true,
    createdAt: '2026-11-20T10:00:00.000Z',
    closedAt: null,
    ...changes,
  };
}

export function mockTransaction(changes: Partial<GatewayTransaction> = {}): GatewayTransaction {
  return {
    id: idOf(1201),
    virtualAccountId: idOf(1101),
    type: 'send',
    status: 'completed',
    reference: 'NP-7K3M9QX2TWBD',
    description: 'Brass fittings',
    amount: 1999,
    senderAccountName: 'Engine works',
    senderAccountNumber: '0123456789',
    senderBankName: 'Virtual Bank',
    receiverAccountName: 'Babbage & Sons',
    receiverAccountNumber: 'GB-33-0001',
    receiverBankName: 'Bank of London',
    failure: '',
    createdAt: '2026-11-20T10:00:00.000Z',
    settledAt: '2026-11-20T10:00:04.000Z',
    ...changes,
  };
}

export function mockStatementLine(changes: Partial<StatementLine> = {}): StatementLine {
  return {
    id: idOf(1301),
    transactionId: idOf(1201),
    kind: 'sent',
    reference: 'NP-7K3M9QX2TWBD',
    description: 'Brass fittings',
    party: 'Babbage & Sons',
    amount: -1999,
    balance: 125_000,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export function mockBeneficiary(changes: Partial<Beneficiary> = {}): Beneficiary {
  return {
    id: idOf(1401),
    accountName: 'Babbage & Sons',
    accountNumber: 'GB-33-0001',
    bankName: 'Bank of London',
    bankCode: '',
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

export const MOCK_CERTIFICATE = {
  issuer: 'Example CA',
  endsAt: '2099-11-20T12:00:00.000Z',
  isExpired: false,
  httpsOnly: true,
  managed: false,
};

/** An active domain, the primary one of its project. */
export function mockDomain(changes: Partial<CustomDomain> = {}): CustomDomain {
  const { domain = 'shop.example.com' } = changes;
  return {
    id: crypto.randomUUID(),
    domain,
    status: 'active',
    isPrimary: true,
    redirects: false,
    reason: '',
    verification: { name: `_nephos.${domain}`, value: '4f2a9c81d0' },
    pointsHere: true,
    url: `http://${domain}`,
    certificate: null,
    issuance: null,
    checkedAt: '2026-11-20T10:00:00.000Z',
    createdAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  };
}

/** A signed-in person who owns nothing yet. */
export function mockWorld(changes: Partial<MockWorld> = {}): MockWorld {
  return {
    user: mockUser(),
    workspaces: [
      mockWorkspace({ id: USER_ID, name: 'Ada Lovelace', handle: 'ada', personal: true, members: 1 }),
    ],
    members: [
      mockMember({
        ...{
          userId: USER_ID,
          email: 'ada@example.com',
          firstName: 'Ada',
          lastName: 'Lovelace',
          role: 'owner',
        },
      }),
    ],
    workspaceInvitations: [],
    workspaceContents: {
      ...{ projects: 0, databases: 0, files: 0, zones: 0, repositories: 0, mobileApps: 0, installations: 0 },
      ...{ variableGroups: 0, virtualAccounts: 0, members: 1, obstacle: '' },
    },
    invitation: {
      ...{ workspace: 'Acme', role: 'developer', invitedBy: 'grace@example.com', email: null, state: 'open' },
    },
    projects: [],
    deployments: [],
    processes: [],
    disks: [],
    domains: [],
    servesHttps: false,
    domainProofSeen: false,
    versions: [],
    uploadGate: null,
    site: null,
    diskSupport: { mounted: false, limited: true, growsInUse: true },
    disksShared: false,
    events: [],
    logLines: [],
    metrics: { range: '1h', step: 60, points: [], processes: [] },
    activity: [],
    cronJobs: [],
    runs: [],
    variables: [],
    variableGroups: [],
    pushHook: mockPushHook(),
    commitStatus: mockCommitStatus(),
    alerts: [],
    alertChannels: [],
    alertDeliveries: [],
    alertPreferences: {
      ...{ mailAvailable: true, mail: false, kinds: [...ALERT_KINDS], projectId: null, quietHours: null },
    },
    previewSettings: mockPreviewSettings(),
    previews: [],
    deployKey: mockDeployKey(),
    deliveries: [],
    sessions: [mockSession()],
    connections: { connections: [], providers: [] },
    emailChange: { mail: true, pending: null },
    signInConsent: { endsAt: null, signedIn: [] },
    tokens: [],
    factors: mockFactors(),
    factorDemand: { demanded: false, lacking: 1 },
    files: [],
    contents: {},
    images: [],
    platforms: [],
    referrers: [],
    deletion: { manifests: 1, blobs: 2, size: 3 * 1024 * 1024 },
    keptBecause: '',
    retentionRule: null,
    repositories: [],
    untagged: [],
    registry: { host: 'localhost:3000', secure: false, namespace: 'ada' },
    databases: [],
    databaseProjects: [],
    connectionString: 'postgresql://db_orders:s3cret@localhost:5433/db_orders',
    databaseSessions: { state: 'asked', sessions: [] },
    countedStatements: { state: 'asleep', since: null, statements: [] },
    databaseFigures: { range: '1h', step: 60, points: [] },
    pooledConnectionString: 'postgresql://db_orders:s3cret@localhost:5434/db_orders',
    notPooled: '',
    databaseUsage: { size: 7 * 1024 ** 2, sizeLimit: 10 * 1024 ** 3, connections: 2, connectionLimit: 20 },
    databaseImports: [],
    databaseUsers: [],
    buckets: [
      {
        ...{ id: idOf(9600), name: 'uploads', isPublic: false, versioning: 'off' },
        createdAt: '2026-11-01T10:00:00.000Z',
      },
    ],
    storageKeys: [],
    bucketRules: { lifecycle: [], cors: [] },
    uploads: [],
    trash: [],
    sentParts: [],
    refusedPart: null,
    databasePast: {},
    databaseExtensions: [],
    databaseMemory: { limit: 256, eviction: 'noeviction' },
    databaseMoveState: { unavailable: '', error: '' },
    databaseEngines: [
      { type: 'postgresql', available: true, reason: '' },
      { type: 'mysql', available: true, reason: '' },
      { type: 'mongodb', available: false, reason: 'Set MANAGED_MONGODB_URL to offer MongoDB.' },
      { type: 'redis', available: true, reason: '' },
    ],
    records: [],
    leadingRecords: [],
    servedDomains: [],
    pendingDomains: [],
    unprovenDomains: [],
    proofSeen: false,
    dnsAnswer: {},
    dnsChanges: [],
    zoneKeys: [],
    parentDelegation: { known: true, keyTags: [], others: 0 },
    dnsSecondaries: { serial: 1, key: null, secondaries: [] },
    importPlan: { serial: 1, added: [], removed: [], changed: [], unchanged: 0, refused: [] },
    nameServer: { running: true, reason: '', host: '127.0.0.1', port: 5353, nameservers: ['ns1.localhost'] },
    mobileApps: [],
    buildConfig: {},
    buildFiles: { files: [], warnings: [] },
    items: [],
    installations: [],
    virtualAccounts: [],
    statement: [],
    searchedLines: MAX_SEARCHED_LINES,
    transactions: [],
    beneficiaries: [],
    rail: { sandbox: true, hint: 'Sends to other banks settle within seconds.', failures: [] },
    trialBalance: { currencies: [], discrepancies: [], chain: { links: 0, waiting: 0, brokenAt: null } },
    billing: mockBillingWorld(),
    admin: mockAdminWorld(),
    auditRecords: [],
    assistant: mockAssistantWorld(),
    runtimes: [
      { framework: 'nodejs', available: true, reason: '' },
      { framework: 'static', available: true, reason: '' },
      { framework: 'python', available: false, reason: 'python3 is not installed on this server.' },
    ],
    containerRuntime: {
      available: false,
      reason: 'Images and Dockerfiles need a container runtime. Set DEPLOY_RUNTIME=docker on the server.',
    },
    ready: true,
    refusals: {},
    uploadRefusal: null,
    delays: {},
    calls: [],
    ...changes,
  };
}
