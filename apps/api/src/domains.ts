import type { contract } from '@nephos/contracts';
import { createAdmin } from './domains/admin/admin.ts';
import { createAlertChannels } from './domains/alerts/alert-channels.ts';
import { createAlerts } from './domains/alerts/alerts.ts';
import { createAppRuns } from './domains/app-runs/app-runs.ts';
import type { TerminalTimes } from './domains/app-runs/terminals.ts';
import { createAssistant } from './domains/assistant/assistant.ts';
import type { AssistantTimes } from './domains/assistant/reply-writer.ts';
import type { CallProcedure } from './domains/assistant/tools-box.ts';
import { createAudit } from './domains/audit/audit.ts';
import { createAuth } from './domains/auth/auth.ts';
import { createBilling } from './domains/billing/billing.ts';
import type { PaymentProvider } from './domains/billing/provider.ts';
import { createBucketSites } from './domains/bucket-sites/bucket-sites.ts';
import { createSiteServer } from './domains/bucket-sites/serve-site.ts';
import { createBuckets } from './domains/buckets/buckets.ts';
import { createCertificates } from './domains/certificates/certificates.ts';
import { createCommitStatuses } from './domains/commit-statuses/commit-statuses.ts';
import { createContainers } from './domains/containers/containers.ts';
import { createCustomDomains } from './domains/custom-domains/custom-domains.ts';
import { keepCertificate } from './domains/custom-domains/keep-certificate.ts';
import type { ArchiverTimes } from './domains/database-backups/archiver.ts';
import { createDatabaseBackups } from './domains/database-backups/database-backups.ts';
import { createDatabaseContents } from './domains/database-contents/database-contents.ts';
import { createDatabaseExtensions } from './domains/database-extensions/database-extensions.ts';
import { createDatabaseFigures } from './domains/database-figures/database-figures.ts';
import { createDatabaseImports } from './domains/database-imports/database-imports.ts';
import { createDatabaseUsers } from './domains/database-users/database-users.ts';
import { createDatabases } from './domains/databases/databases.ts';
import type { DatabaseEngines } from './domains/databases/engines/engine.ts';
import { listEngines } from './domains/databases/service.ts';
import { createDeployKeys } from './domains/deploy-keys/deploy-keys.ts';
import { createDeployments } from './domains/deployments/deployments.ts';
import type { DeploymentEngine } from './domains/deployments/engine/engine.ts';
import type { AppHosts } from './domains/deployments/engine/serve/app-hosts.ts';
import { createDisks } from './domains/disks/disks.ts';
import { createDns } from './domains/dns/dns.ts';
import type { LookUpNs } from './domains/dns/ns-lookup.ts';
import type { LookUpDs } from './domains/dns/signing/ds-lookup.ts';
import type { LookUpTxt } from './domains/dns/txt-lookup.ts';
import type { Domain, Part } from './domains/domain.ts';
import { createGitPushes } from './domains/git-pushes/git-pushes.ts';
import { createInstallationBackups } from './domains/installation-backups/installation-backups.ts';
import { createInstalledVersion } from './domains/installed-version/installed-version.ts';
import { CATALOGUE } from './domains/marketplace/catalogue/catalogue.ts';
import type { CatalogueItem } from './domains/marketplace/catalogue/item.ts';
import { createMarketplace } from './domains/marketplace/marketplace.ts';
import { createMetering } from './domains/metering/metering.ts';
import { createMobileApps } from './domains/mobile-apps/mobile-apps.ts';
import { createObservability } from './domains/observability/observability.ts';
import { createPaymentGateway } from './domains/payment-gateway/payment-gateway.ts';
import type { Rail } from './domains/payment-gateway/rail.ts';
import { createPreviews } from './domains/previews/previews.ts';
import { createProcesses } from './domains/processes/processes.ts';
import type { FindRecipe } from './domains/projects/find-recipe.ts';
import { createProjects } from './domains/projects/projects.ts';
import { whyNoCode } from './domains/projects/runnable.ts';
import { createPushHooks } from './domains/push-hooks/push-hooks.ts';
import { createStorage } from './domains/storage/storage.ts';
import { createStorageTrash } from './domains/storage/storage-trash.ts';
import { createStorageUploads } from './domains/storage/storage-uploads.ts';
import { createStorageVersions } from './domains/storage/storage-versions.ts';
import { createStoredBytes } from './domains/stored-bytes/stored-bytes.ts';
import { createVariableGroups } from './domains/variable-groups/variable-groups.ts';
import { createRemovals } from './domains/workspaces/removals.ts';
import { createWorkspaces } from './domains/workspaces/workspaces.ts';
import type { AppServer, SocketServer } from './http/console-server.ts';
import type { Streams } from './http/streams.ts';
import type { FindCertificate } from './http/tls-server.ts';
import type { EngineCheck } from './platform/engine-check.ts';
import { createAppAddress } from './platform/host-address.ts';
import type { Platform } from './platform/platform.ts';
import type { PublicDns } from './platform/public-dns.ts';

/** What a test puts in the place of the real thing. */
export type Overrides = Partial<{
  engine: DeploymentEngine;
  /** Folder of the marketplace's apps. */
  recipes: string;
  catalogue: readonly CatalogueItem[];
  databaseEngines: DatabaseEngines;
  archiverTimes: ArchiverTimes;
  lookUpTxt: LookUpTxt;
  lookUpDs: LookUpDs;
  lookUpNs: LookUpNs;
  publicDns: PublicDns;
  rail: Rail;
  /** The time by which cron jobs are due. */
  cronClock: () => Promise<Date>;
  terminalTimes: Partial<TerminalTimes>;
  payments: PaymentProvider;
  assistantTimes: Partial<AssistantTimes>;
  alertTimes: Parameters<typeof createAlertChannels>[1];
  /** Milliseconds between two pieces of an answer by rules. */
  answerPace: number;
  /** Seconds between the tries of a mail. */
  mailPauses: readonly number[];
}>;

/** What is there only once all domains are made. */
export interface Later {
  /** Everything that the server runs on. */
  engines(): readonly EngineCheck[];
  /** Calls any procedure of the contract. */
  call: CallProcedure;
  /** What is being read of. */
  streams: Streams;
}

type EachDomain = { [D in keyof typeof contract]: Domain<(typeof contract)[D]> };

export type Domains = Awaited<ReturnType<typeof createDomains>>;

/** Makes all domains. Adding one is a folder and a line. */
export async function createDomains(platform: Platform, overrides: Overrides, later: Later) {
  const dns = createDns(platform, overrides);
  const { catalogue = CATALOGUE } = overrides;
  const findRecipe: FindRecipe = (id) => catalogue.find(({ recipe }) => recipe?.id === id);
  const certificates = await createCertificates(platform, keepCertificate, overrides);
  const customDomains = await createCustomDomains(platform, certificates, overrides);
  const { own } = certificates;
  const serveSite = createSiteServer(platform);
  const hosts: AppHosts = { find: customDomains.hosts.find, validUntil: own.validUntil, serveSite };
  const certificateFor: FindCertificate = (serverName) =>
    // A name that was the server's may be somebody's now, not the other way round.
    customDomains.hosts.certificateFor(serverName) ?? own.certificateFor(serverName);
  const databases = createDatabases(platform, {
    ...overrides,
    certificateFor,
    keyPairFor: own.keyPairFor,
  });
  const appAddress = createAppAddress(platform.settings, own.validUntil);
  const commitStatuses = createCommitStatuses({ ...platform, appAddress });
  const { reportCommit } = commitStatuses;
  const deployments = createDeployments(
    platform,
    { databases, findRecipe, hosts, appAddress, reportCommit },
    overrides,
  );
  const { appRecords } = customDomains;
  const projects = createProjects(platform, deployments.deployer, {
    ...{ databases, findRecipe, appAddress, appRecords },
  });
  const storage = createStorage(platform);
  const disks = createDisks(platform, deployments);
  const auth = createAuth(platform, () => ({
    membersDeploy:
      whyNoCode(platform.settings, { trust: 'member' }, deployments.engine.isolation(), { builds: true }) ===
      null,
    databases: listEngines(databases.servers).flatMap(({ type, available }) => (available ? [type] : [])),
    dns: dns.nameServer.unavailable() === null,
  }));
  const metering = createMetering({ ...platform, ...deployments });

  const gitPushes = createGitPushes(platform, { ...deployments, appAddress });
  const databaseBackups = createDatabaseBackups(platform, databases, overrides.archiverTimes);
  const previews = createPreviews(platform, {
    ...{ ...deployments, databases, appAddress, removeFollowers: customDomains.removeFollowers },
    copyDatabase: databaseBackups.copy,
  });

  const appRuns = createAppRuns(platform, {
    commands: deployments.engine.commands,
    identify: auth.identify,
    clock: overrides.cronClock,
    terminalTimes: overrides.terminalTimes,
  });

  const workspaces = createWorkspaces(
    { ...platform, streams: later.streams },
    createRemovals({ projects, databases, storage }),
  );

  const backups = createInstallationBackups(platform);

  const domains = {
    auth,
    workspaces,
    projects,
    variableGroups: createVariableGroups(platform),
    deployments,
    deployKeys: createDeployKeys(platform),
    pushHooks: createPushHooks(platform, {
      deploy: deployments.deployForCause,
      followBranch: previews.followBranch,
    }),
    previews,
    commitStatuses,
    observability: createObservability({ ...platform, ...deployments }),
    alerts: createAlerts(platform, databases),
    alertChannels: createAlertChannels(platform, overrides.alertTimes),
    processes: createProcesses(deployments),
    disks,
    customDomains,
    appRuns,
    storage,
    storageUploads: createStorageUploads(platform, storage),
    storageTrash: createStorageTrash(platform, storage),
    storageVersions: createStorageVersions(storage),
    buckets: createBuckets(platform),
    bucketSites: createBucketSites(customDomains),
    containers: await createContainers(platform, deployments.deployPushed),
    databases,
    databaseBackups,
    databaseContents: createDatabaseContents(databases),
    databaseFigures: createDatabaseFigures(platform, databases),
    databaseImports: createDatabaseImports(platform, databases),
    databaseUsers: createDatabaseUsers(databases),
    databaseExtensions: createDatabaseExtensions(databases),
    dns,
    mobileApps: createMobileApps(platform),
    marketplace: createMarketplace(
      platform,
      { projects, databases, dns, storage, disks, deployments },
      catalogue,
    ),
    paymentGateway: createPaymentGateway(platform, overrides),
    billing: await createBilling(platform, overrides),
    admin: await createAdmin(platform, later, deployments.engine, {
      ...certificates,
      ...workspaces,
      backups,
    }),
    audit: createAudit(platform),
    assistant: await createAssistant(platform, {
      call: later.call,
      times: overrides.assistantTimes,
      pace: overrides.answerPace,
    }),
  } satisfies EachDomain;

  const apps: AppServer = deployments.engine;
  const sockets: SocketServer = appRuns.terminals;
  const mail: Part = platform.mail;
  const objectMove: Part = platform.objectMove ?? {};
  return {
    domains,
    // In the order in which they take up their work.
    parts: [
      mail,
      objectMove,
      metering,
      certificates,
      ...Object.values<Part & { handlers: object }>(domains),
      gitPushes,
      createStoredBytes(platform),
      backups,
      createInstalledVersion(platform),
    ] satisfies Part[],
    identify: auth.identify,
    apps,
    sockets,
    certificates,
    appAddress,
    certificateFor,
  };
}
