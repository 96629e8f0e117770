import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { admin } from './admin.ts';
import { alertChannels } from './alert-channels.ts';
import { alerts } from './alerts.ts';
import { appRuns } from './app-runs.ts';
import { assistant } from './assistant.ts';
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { billing } from './billing.ts';
import { bucketSites } from './bucket-sites.ts';
import { buckets } from './buckets.ts';
import { commitStatuses } from './commit-statuses.ts';
import { containers } from './containers.ts';
import { customDomains } from './custom-domains.ts';
import { databaseBackups } from './database-backups.ts';
import { databaseContents } from './database-contents.ts';
import { databaseExtensions } from './database-extensions.ts';
import { databaseFigures } from './database-figures.ts';
import { databaseImports } from './database-imports.ts';
import { databaseUsers } from './database-users.ts';
import { databases } from './databases.ts';
import { deployKeys } from './deploy-keys.ts';
import { deployments } from './deployments.ts';
import { disks } from './disks.ts';
import { dns } from './dns.ts';
import type { RouterOf } from './kit.ts';
import { marketplace } from './marketplace.ts';
import { mobileApps } from './mobile-apps.ts';
import { observability } from './observability.ts';
import { paymentGateway } from './payment-gateway.ts';
import { previews } from './previews.ts';
import { processes } from './processes.ts';
import { projects } from './projects.ts';
import { pushHooks } from './push-hooks.ts';
import { storage } from './storage.ts';
import { storageTrash } from './storage-trash.ts';
import { storageUploads } from './storage-uploads.ts';
import { storageVersions } from './storage-versions.ts';
import { variableGroups } from './variable-groups.ts';
import { workspaces } from './workspaces.ts';

/** Every procedure of the API, by domain. */
export const contract = {
  auth,
  workspaces,
  projects,
  variableGroups,
  deployments,
  deployKeys,
  pushHooks,
  commitStatuses,
  previews,
  processes,
  disks,
  customDomains,
  appRuns,
  observability,
  alerts,
  alertChannels,
  storage,
  storageUploads,
  storageTrash,
  storageVersions,
  buckets,
  bucketSites,
  containers,
  databases,
  databaseBackups,
  databaseContents,
  databaseFigures,
  databaseImports,
  databaseUsers,
  databaseExtensions,
  dns,
  mobileApps,
  marketplace,
  paymentGateway,
  billing,
  admin,
  audit,
  assistant,
};

export type AppRouter = RouterOf<typeof contract>;
export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

export * from './access-tokens.ts';
export * from './admin.ts';
export * from './admin-backups.ts';
export * from './admin-jobs.ts';
export * from './alert-channels.ts';
export * from './alerts.ts';
export * from './app-runs.ts';
export * from './assistant.ts';
export * from './audit.ts';
export * from './auth.ts';
export * from './billing.ts';
export * from './bucket-rules.ts';
export * from './bucket-sites.ts';
export * from './buckets.ts';
export * from './commit-statuses.ts';
export * from './connections.ts';
export * from './constants.ts';
export * from './container-retention.ts';
export * from './container-storage.ts';
export * from './containers.ts';
export * from './credentials.ts';
export * from './custom-domains.ts';
export * from './database-backups.ts';
export * from './database-contents.ts';
export * from './database-extensions.ts';
export * from './database-figures.ts';
export * from './database-imports.ts';
export * from './database-memory.ts';
export * from './database-moves.ts';
export * from './database-users.ts';
export * from './databases.ts';
export * from './deploy-keys.ts';
export * from './deployments.ts';
export * from './disks.ts';
export * from './dns.ts';
export * from './dns-changes.ts';
export { hostIn, withArticle, withHost } from './dns-hosts.ts';
export {
  DNS_NAME_MAX,
  type Reading,
  readDomain,
  readHostName,
  readRecordName,
  relativeName,
  wholeName,
} from './dns-names.ts';
export * from './dns-records.ts';
export * from './dns-secondaries.ts';
export { NUMBERED_PARAMETERS, SERVICE_PARAMETERS } from './dns-service-bindings.ts';
export * from './dns-signing.ts';
export { NULL_MX, readValue, TXT_MAX } from './dns-values.ts';
export * from './dns-zone-files.ts';
export * from './email-change.ts';
export * from './factor-demands.ts';
export * from './installation-settings.ts';
export * from './invitations.ts';
export type { Access, ErrorData, ErrorShape, FieldError, Kind, Row, Tracked } from './kit.ts';
export * from './limits.ts';
export * from './many-files.ts';
export * from './marketplace.ts';
export * from './mobile-apps.ts';
export * from './observability.ts';
export * from './own-certificates.ts';
export * from './page.ts';
export * from './payment-gateway.ts';
export * from './payment-gateway-statement.ts';
export * from './people.ts';
export * from './previews.ts';
export * from './processes.ts';
export * from './project-events.ts';
export * from './project-logs.ts';
export * from './project-metrics.ts';
export * from './projects.ts';
export * from './push-hooks.ts';
export * from './run-settings.ts';
export * from './second-factors.ts';
export * from './sign-in-consent.ts';
export * from './storage.ts';
export * from './storage-trash.ts';
export * from './storage-uploads.ts';
export * from './storage-versions.ts';
export * from './stored-files.ts';
export { OPENED_BY } from './token-resources.ts';
export * from './variable-groups.ts';
export * from './variables.ts';
export * from './workspaces.ts';
