import type { AccessTokensTable } from './access-tokens.ts';
import type { InvitationsTable, RoleChangesTable } from './admin.ts';
import type { AlertChannelsTable, AlertDeliveriesTable, AlertReadsTable, AlertsTable } from './alerts.ts';
import type { AppRunLogTable, AppRunsTable, CronJobsTable } from './app-runs.ts';
import type {
  AssistantMessagesTable,
  AssistantPiecesTable,
  AssistantRepliesTable,
  AssistantSessionsTable,
} from './assistant.ts';
import type { AuditChainsTable, AuditRecordsTable, UnsealedRecordsTable } from './audit.ts';
import type {
  EmailChangesTable,
  IdentitiesTable,
  PasskeyChallengesTable,
  PasskeysTable,
  PasswordResetsTable,
  PendingIdentitiesTable,
  ProfilePicturesTable,
  RecoveryCodesTable,
  SessionsTable,
  SignInConsentsTable,
  TotpSecretsTable,
  UsersTable,
} from './auth.ts';
import type {
  FormerCardsTable,
  LedgerSystemAccountsTable,
  PaymentCustomersTable,
  PaymentIntentsTable,
  PaymentsTable,
  SandboxCardsTable,
  SandboxCustomersTable,
  SandboxIntentsTable,
  SubscriptionsTable,
  WebhookEventsTable,
} from './billing.ts';
import type {
  AcmeAccountsTable,
  AcmeAttemptsTable,
  AcmeChallengesTable,
  AcmeHoldsTable,
  CertificateOrdersTable,
  OwnCertificatesTable,
} from './certificates.ts';
import type { CommitStatusesTable } from './commit-statuses.ts';
import type {
  ContainerBlobLinksTable,
  ContainerBlobsTable,
  ContainerImagesTable,
  ContainerManifestsTable,
  ContainerReferencesTable,
  ContainerRepositoriesTable,
  ContainerRetentionTable,
  ContainerUploadsTable,
  MirroredContentsTable,
  MirroredTagsTable,
  RegistryHostTable,
} from './containers.ts';
import type { CustomDomainsTable, DomainCertificatesTable } from './custom-domains.ts';
import type {
  DatabaseArchivesTable,
  DatabaseBackupsTable,
  DatabaseRestoresTable,
  DatabaseSwapsTable,
  DatabaseWalTable,
} from './database-archives.ts';
import type {
  DatabaseImportsTable,
  DatabaseMetricsTable,
  DatabaseStatementsTable,
  DatabaseUsersTable,
  ManagedDatabasesTable,
  UnansweredServersTable,
} from './databases.ts';
import type { DeployKeysTable } from './deploy-keys.ts';
import type { DeploymentLogTable, DeploymentsTable } from './deployments.ts';
import type { ProjectDisksTable } from './disks.ts';
import type {
  DnsChangesTable,
  DnsPastSerialsTable,
  DnsRecordsTable,
  DnsSecondariesTable,
  DnsTransferKeysTable,
  DnsZoneKeysTable,
  DnsZonesTable,
} from './dns.ts';
import type { PendingPushesTable } from './git-pushes.ts';
import type { IdempotencyKeysTable, RateLimitsTable } from './http.ts';
import type { BackupRepositoriesTable, InstallationBackupsTable } from './installation-backups.ts';
import type { InstallationSettingsTable } from './installation-settings.ts';
import type { WorkspaceLimitsTable } from './limits.ts';
import type { MailsTable } from './mails.ts';
import type { InstallationsTable } from './marketplace.ts';
import type { MobileAppsTable } from './mobile-apps.ts';
import type { ObjectUploadsTable } from './object-uploads.ts';
import type {
  ProjectEventsTable,
  ProjectLogBlocksTable,
  ProjectLogsTable,
  ProjectMetricsTable,
} from './observability.ts';
import type {
  BeneficiariesTable,
  GatewayPaymentsTable,
  LedgerAccountsTable,
  LedgerEntriesTable,
  LedgerLinksTable,
  LedgerTransactionsTable,
  VirtualAccountsTable,
} from './payment-gateway.ts';
import type {
  PreviewCopiesTable,
  PreviewSettingsTable,
  PreviewSourcesTable,
  PreviewsTable,
} from './previews.ts';
import type {
  GroupVariablesTable,
  ProjectsTable,
  ProjectVariableGroupsTable,
  ProjectVariablesTable,
  VariableGroupsTable,
} from './projects.ts';
import type { PushDeliveriesTable, PushHooksTable } from './push-hooks.ts';
import type {
  BucketsTable,
  FileVersionsTable,
  MultipartPartsTable,
  MultipartUploadsTable,
  StorageKeysTable,
  StoredFilesTable,
} from './storage.ts';
import type { DamagedObjectsTable, StoredBytesRoundsTable } from './stored-bytes.ts';
import type {
  FormerResourcesTable,
  ServerUptimesTable,
  UsageDaysTable,
  UsageEgressTable,
  UsageMeteringTable,
  UsageMetersTable,
  UsageRecordsTable,
  UsageSpansTable,
} from './usage.ts';
import type { WorkspaceInvitationsTable, WorkspaceMembersTable, WorkspacesTable } from './workspaces.ts';

/** Every table, in camel case as `CamelCasePlugin` maps it. */
export interface Database {
  users: UsersTable;
  workspaceLimits: WorkspaceLimitsTable;
  installationSettings: InstallationSettingsTable;
  sessions: SessionsTable;
  signInConsents: SignInConsentsTable;
  identities: IdentitiesTable;
  pendingIdentities: PendingIdentitiesTable;
  workspaces: WorkspacesTable;
  workspaceMembers: WorkspaceMembersTable;
  workspaceInvitations: WorkspaceInvitationsTable;
  totpSecrets: TotpSecretsTable;
  recoveryCodes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  passkeyChallenges: PasskeyChallengesTable;
  profilePictures: ProfilePicturesTable;
  passwordResets: PasswordResetsTable;
  emailChanges: EmailChangesTable;
  idempotencyKeys: IdempotencyKeysTable;
  rateLimits: RateLimitsTable;
  mails: MailsTable;
  projects: ProjectsTable;
  projectVariables: ProjectVariablesTable;
  variableGroups: VariableGroupsTable;
  groupVariables: GroupVariablesTable;
  projectVariableGroups: ProjectVariableGroupsTable;
  projectDisks: ProjectDisksTable;
  customDomains: CustomDomainsTable;
  domainCertificates: DomainCertificatesTable;
  certificateOrders: CertificateOrdersTable;
  ownCertificates: OwnCertificatesTable;
  acmeAccounts: AcmeAccountsTable;
  acmeAttempts: AcmeAttemptsTable;
  acmeChallenges: AcmeChallengesTable;
  acmeHolds: AcmeHoldsTable;
  deployments: DeploymentsTable;
  deploymentLog: DeploymentLogTable;
  deployKeys: DeployKeysTable;
  pushHooks: PushHooksTable;
  pushDeliveries: PushDeliveriesTable;
  commitStatuses: CommitStatusesTable;
  pendingPushes: PendingPushesTable;
  previewSettings: PreviewSettingsTable;
  previews: PreviewsTable;
  previewSources: PreviewSourcesTable;
  previewCopies: PreviewCopiesTable;
  cronJobs: CronJobsTable;
  appRuns: AppRunsTable;
  appRunLog: AppRunLogTable;
  alerts: AlertsTable;
  alertReads: AlertReadsTable;
  alertChannels: AlertChannelsTable;
  alertDeliveries: AlertDeliveriesTable;
  projectEvents: ProjectEventsTable;
  projectLogs: ProjectLogsTable;
  projectLogBlocks: ProjectLogBlocksTable;
  projectMetrics: ProjectMetricsTable;
  storedFiles: StoredFilesTable;
  objectUploads: ObjectUploadsTable;
  storedBytesRounds: StoredBytesRoundsTable;
  damagedObjects: DamagedObjectsTable;
  buckets: BucketsTable;
  fileVersions: FileVersionsTable;
  multipartUploads: MultipartUploadsTable;
  multipartParts: MultipartPartsTable;
  storageKeys: StorageKeysTable;
  accessTokens: AccessTokensTable;
  containerRepositories: ContainerRepositoriesTable;
  containerImages: ContainerImagesTable;
  containerManifests: ContainerManifestsTable;
  containerReferences: ContainerReferencesTable;
  containerBlobs: ContainerBlobsTable;
  containerBlobLinks: ContainerBlobLinksTable;
  containerUploads: ContainerUploadsTable;
  containerRetention: ContainerRetentionTable;
  mirroredContents: MirroredContentsTable;
  mirroredTags: MirroredTagsTable;
  registryHost: RegistryHostTable;
  managedDatabases: ManagedDatabasesTable;
  databaseStatements: DatabaseStatementsTable;
  databaseMetrics: DatabaseMetricsTable;
  databaseArchives: DatabaseArchivesTable;
  databaseBackups: DatabaseBackupsTable;
  databaseWal: DatabaseWalTable;
  databaseRestores: DatabaseRestoresTable;
  databaseSwaps: DatabaseSwapsTable;
  databaseUsers: DatabaseUsersTable;
  databaseImports: DatabaseImportsTable;
  unansweredServers: UnansweredServersTable;
  dnsZones: DnsZonesTable;
  dnsRecords: DnsRecordsTable;
  dnsPastSerials: DnsPastSerialsTable;
  dnsChanges: DnsChangesTable;
  dnsZoneKeys: DnsZoneKeysTable;
  dnsTransferKeys: DnsTransferKeysTable;
  dnsSecondaries: DnsSecondariesTable;
  mobileApps: MobileAppsTable;
  backupRepositories: BackupRepositoriesTable;
  installationBackups: InstallationBackupsTable;
  installations: InstallationsTable;
  ledgerAccounts: LedgerAccountsTable;
  ledgerTransactions: LedgerTransactionsTable;
  ledgerEntries: LedgerEntriesTable;
  ledgerLinks: LedgerLinksTable;
  virtualAccounts: VirtualAccountsTable;
  gatewayPayments: GatewayPaymentsTable;
  beneficiaries: BeneficiariesTable;
  subscriptions: SubscriptionsTable;
  paymentCustomers: PaymentCustomersTable;
  formerCards: FormerCardsTable;
  paymentIntents: PaymentIntentsTable;
  payments: PaymentsTable;
  webhookEvents: WebhookEventsTable;
  ledgerSystemAccounts: LedgerSystemAccountsTable;
  sandboxCustomers: SandboxCustomersTable;
  sandboxCards: SandboxCardsTable;
  sandboxIntents: SandboxIntentsTable;
  formerResources: FormerResourcesTable;
  usageRecords: UsageRecordsTable;
  usageDays: UsageDaysTable;
  usageMeters: UsageMetersTable;
  usageSpans: UsageSpansTable;
  usageEgress: UsageEgressTable;
  usageMetering: UsageMeteringTable;
  serverUptimes: ServerUptimesTable;
  auditRecords: AuditRecordsTable;
  unsealedRecords: UnsealedRecordsTable;
  /** All records, sealed or not: a view. */
  auditLog: AuditRecordsTable;
  auditChains: AuditChainsTable;
  roleChanges: RoleChangesTable;
  invitations: InvitationsTable;
  assistantSessions: AssistantSessionsTable;
  assistantMessages: AssistantMessagesTable;
  assistantReplies: AssistantRepliesTable;
  assistantPieces: AssistantPiecesTable;
}
