import type { Migration } from 'kysely/migration';
import * as accounts from './0001-accounts.ts';
import * as http from './0002-http.ts';
import * as deployments from './0003-deployments.ts';
import * as storage from './0004-storage.ts';
import * as registry from './0005-registry.ts';
import * as databases from './0006-databases.ts';
import * as dns from './0007-dns.ts';
import * as templates from './0008-templates.ts';
import * as mobileApps from './0009-mobile-apps.ts';
import * as marketplace from './0010-marketplace.ts';
import * as registryChanges from './0011-registry-changes.ts';
import * as ledger from './0012-ledger.ts';
import * as paymentGateway from './0013-payment-gateway.ts';
import * as dnsSerials from './0014-dns-serials.ts';
import * as billing from './0015-billing.ts';
import * as usage from './0016-usage.ts';
import * as assistant from './0017-assistant.ts';
import * as roleChanges from './0018-role-changes.ts';
import * as registrySpace from './0019-registry-space.ts';
import * as untaggedImages from './0020-untagged-images.ts';
import * as formerCards from './0021-former-cards.ts';
import * as sendByIndex from './0022-send-by-index.ts';
import * as invitations from './0023-invitations.ts';
import * as openUploads from './0024-open-uploads.ts';
import * as passwordChanged from './0025-password-changed.ts';
import * as publicRepositories from './0026-public-repositories.ts';
import * as storedCharsets from './0027-stored-charsets.ts';
import * as ledgerPosting from './0028-ledger-posting.ts';
import * as listOrders from './0029-list-orders.ts';
import * as profilePictures from './0030-profile-pictures.ts';
import * as deploymentKinds from './0031-deployment-kinds.ts';
import * as replacedFiles from './0032-replaced-files.ts';
import * as closedAccounts from './0033-closed-accounts.ts';
import * as runSettings from './0034-run-settings.ts';
import * as projectEvents from './0035-project-events.ts';
import * as appLogsAndMetrics from './0036-app-logs-and-metrics.ts';
import * as appRuns from './0037-app-runs.ts';
import * as projectDisks from './0038-project-disks.ts';
import * as builds from './0039-builds.ts';
import * as variableGroups from './0040-variable-groups.ts';
import * as payingSince from './0041-paying-since.ts';
import * as diskSizes from './0042-disk-sizes.ts';
import * as projectImages from './0043-project-images.ts';
import * as dockerfiles from './0044-dockerfiles.ts';
import * as recipes from './0045-recipes.ts';
import * as registryHost from './0046-registry-host.ts';
import * as dnsTypes from './0047-dns-types.ts';
import * as dnsChanges from './0048-dns-changes.ts';
import * as pushHooks from './0049-push-hooks.ts';
import * as repositoryCredentials from './0050-repository-credentials.ts';
import * as deployKeys from './0051-deploy-keys.ts';
import * as gitPushes from './0052-git-pushes.ts';
import * as customDomains from './0053-custom-domains.ts';
import * as domainCertificates from './0054-domain-certificates.ts';
import * as acme from './0055-acme.ts';
import * as ownCertificates from './0056-own-certificates.ts';
import * as renewalInfo from './0057-renewal-info.ts';
import * as orderDirectory from './0058-order-directory.ts';
import * as commitStatuses from './0059-commit-statuses.ts';
import * as previews from './0060-previews.ts';
import * as pendingPushes from './0061-pending-pushes.ts';
import * as dnsSecondaries from './0062-dns-secondaries.ts';
import * as dnsZoneKeys from './0063-dns-zone-keys.ts';
import * as followingRecords from './0064-following-records.ts';
import * as workspaces from './0065-workspaces.ts';
import * as workspaceSessions from './0066-workspace-sessions.ts';
import * as workspaceInvitations from './0067-workspace-invitations.ts';
import * as mails from './0068-mails.ts';
import * as passwordResets from './0069-password-resets.ts';
import * as emailChanges from './0070-email-changes.ts';
import * as secondFactors from './0071-second-factors.ts';
import * as passkeys from './0072-passkeys.ts';
import * as audit from './0074-audit.ts';
import * as auditChains from './0075-audit-chains.ts';
import * as ledgerChain from './0076-ledger-chain.ts';
import * as alerts from './0077-alerts.ts';
import * as alertChannels from './0078-alert-channels.ts';
import * as installationSettings from './0079-installation-settings.ts';
import * as disabledPeople from './0080-disabled-people.ts';
import * as workspaceLimits from './0081-workspace-limits.ts';
import * as deletedPeople from './0082-deleted-people.ts';
import * as acmeLimits from './0083-acme-limits.ts';
import * as zoneProofs from './0084-zone-proofs.ts';
import * as openPullRequests from './0085-open-pull-requests.ts';
import * as factorDemands from './0086-factor-demands.ts';
import * as pendingIdentities from './0089-pending-identities.ts';
import * as providerGroups from './0090-provider-groups.ts';
import * as publicAddress from './0091-public-address.ts';
import * as signInConsents from './0092-sign-in-consents.ts';
import * as moreLimits from './0093-more-limits.ts';
import * as unansweredServers from './0094-unanswered-servers.ts';
import * as alertsOfProjects from './0095-alerts-of-projects.ts';
import * as pushedBy from './0096-pushed-by.ts';
import * as notedChanges from './0097-noted-changes.ts';
import * as manyMembers from './0099-many-members.ts';
import * as databaseClusters from './0100-database-clusters.ts';
import * as databaseStatements from './0106-database-statements.ts';
import * as resetTakeovers from './0107-reset-takeovers.ts';
import * as roleByHand from './0108-role-by-hand.ts';
import * as sendBatches from './0109-send-batches.ts';
import * as databaseWork from './0110-database-work.ts';
import * as inlinedIds from './0111-inlined-ids.ts';
import * as entriesAtOnce from './0112-entries-at-once.ts';
import * as databaseArchives from './0114-database-archives.ts';
import * as databaseSwaps from './0115-database-swaps.ts';
import * as backupProofs from './0116-backup-proofs.ts';
import * as databaseStorage from './0118-database-storage.ts';
import * as databaseClasses from './0119-database-classes.ts';
import * as databaseUsers from './0120-database-users.ts';
import * as databaseHomes from './0121-database-homes.ts';
import * as databaseMetrics from './0123-database-metrics.ts';
import * as redisDatabases from './0125-redis-databases.ts';
import * as previewDatabases from './0127-preview-databases.ts';
import * as databaseMoves from './0128-database-moves.ts';
import * as databaseImports from './0129-database-imports.ts';
import * as buckets from './0130-buckets.ts';
import * as bucketKeys from './0131-bucket-keys.ts';
import * as folders from './0132-folders.ts';
import * as objectUploads from './0133-object-uploads.ts';
import * as installationBackups from './0134-installation-backups.ts';
import * as containerRetention from './0136-container-retention.ts';
import * as workErrors from './0137-work-errors.ts';
import * as backupRows from './0138-backup-rows.ts';
import * as storedBytes from './0140-stored-bytes.ts';
import * as bucketLifecycles from './0142-bucket-lifecycles.ts';
import * as bucketSites from './0143-bucket-sites.ts';
import * as deletedFiles from './0144-deleted-files.ts';
import * as siteDomains from './0147-site-domains.ts';
import * as siteRecords from './0148-site-records.ts';
import * as movingObjects from './0160-moving-objects.ts';
import * as upgradeRollbacks from './0161-upgrade-rollbacks.ts';
import * as unsealedRecords from './0162-unsealed-records.ts';
import * as runningTrials from './0163-running-trials.ts';
import * as serverBackupAlerts from './0164-server-backup-alerts.ts';

/** Every migration in order; a new one is added here by name. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-http': http,
  '0003-deployments': deployments,
  '0004-storage': storage,
  '0005-registry': registry,
  '0006-databases': databases,
  '0007-dns': dns,
  '0008-templates': templates,
  '0009-mobile-apps': mobileApps,
  '0010-marketplace': marketplace,
  '0011-registry-changes': registryChanges,
  '0012-ledger': ledger,
  '0013-payment-gateway': paymentGateway,
  '0014-dns-serials': dnsSerials,
  '0015-billing': billing,
  '0016-usage': usage,
  '0017-assistant': assistant,
  '0018-role-changes': roleChanges,
  '0019-registry-space': registrySpace,
  '0020-untagged-images': untaggedImages,
  '0021-former-cards': formerCards,
  '0022-send-by-index': sendByIndex,
  '0023-invitations': invitations,
  '0024-open-uploads': openUploads,
  '0025-password-changed': passwordChanged,
  '0026-public-repositories': publicRepositories,
  '0027-stored-charsets': storedCharsets,
  '0028-ledger-posting': ledgerPosting,
  '0029-list-orders': listOrders,
  '0030-profile-pictures': profilePictures,
  '0031-deployment-kinds': deploymentKinds,
  '0032-replaced-files': replacedFiles,
  '0033-closed-accounts': closedAccounts,
  '0034-run-settings': runSettings,
  '0035-project-events': projectEvents,
  '0036-app-logs-and-metrics': appLogsAndMetrics,
  '0037-app-runs': appRuns,
  '0038-project-disks': projectDisks,
  '0039-builds': builds,
  '0040-variable-groups': variableGroups,
  '0041-paying-since': payingSince,
  '0042-disk-sizes': diskSizes,
  '0043-project-images': projectImages,
  '0044-dockerfiles': dockerfiles,
  '0045-recipes': recipes,
  '0046-registry-host': registryHost,
  '0047-dns-types': dnsTypes,
  '0048-dns-changes': dnsChanges,
  '0049-push-hooks': pushHooks,
  '0050-repository-credentials': repositoryCredentials,
  '0051-deploy-keys': deployKeys,
  '0052-git-pushes': gitPushes,
  '0053-custom-domains': customDomains,
  '0054-domain-certificates': domainCertificates,
  '0055-acme': acme,
  '0056-own-certificates': ownCertificates,
  '0057-renewal-info': renewalInfo,
  '0058-order-directory': orderDirectory,
  '0059-commit-statuses': commitStatuses,
  '0060-previews': previews,
  '0061-pending-pushes': pendingPushes,
  '0062-dns-secondaries': dnsSecondaries,
  '0063-dns-zone-keys': dnsZoneKeys,
  '0064-following-records': followingRecords,
  '0065-workspaces': workspaces,
  '0066-workspace-sessions': workspaceSessions,
  '0067-workspace-invitations': workspaceInvitations,
  '0068-mails': mails,
  '0069-password-resets': passwordResets,
  '0070-email-changes': emailChanges,
  '0071-second-factors': secondFactors,
  '0072-passkeys': passkeys,
  '0074-audit': audit,
  '0075-audit-chains': auditChains,
  '0076-ledger-chain': ledgerChain,
  '0077-alerts': alerts,
  '0078-alert-channels': alertChannels,
  '0079-installation-settings': installationSettings,
  '0080-disabled-people': disabledPeople,
  '0081-workspace-limits': workspaceLimits,
  '0082-deleted-people': deletedPeople,
  '0083-acme-limits': acmeLimits,
  '0084-zone-proofs': zoneProofs,
  '0085-open-pull-requests': openPullRequests,
  '0086-factor-demands': factorDemands,
  '0089-pending-identities': pendingIdentities,
  '0090-provider-groups': providerGroups,
  '0091-public-address': publicAddress,
  '0092-sign-in-consents': signInConsents,
  '0093-more-limits': moreLimits,
  '0094-unanswered-servers': unansweredServers,
  '0095-alerts-of-projects': alertsOfProjects,
  '0096-pushed-by': pushedBy,
  '0097-noted-changes': notedChanges,
  '0099-many-members': manyMembers,
  '0100-database-clusters': databaseClusters,
  '0106-database-statements': databaseStatements,
  '0107-reset-takeovers': resetTakeovers,
  '0108-role-by-hand': roleByHand,
  '0109-send-batches': sendBatches,
  '0110-database-work': databaseWork,
  '0111-inlined-ids': inlinedIds,
  '0112-entries-at-once': entriesAtOnce,
  '0114-database-archives': databaseArchives,
  '0115-database-swaps': databaseSwaps,
  '0116-backup-proofs': backupProofs,
  '0118-database-storage': databaseStorage,
  '0119-database-classes': databaseClasses,
  '0120-database-users': databaseUsers,
  '0121-database-homes': databaseHomes,
  '0123-database-metrics': databaseMetrics,
  '0125-redis-databases': redisDatabases,
  '0127-preview-databases': previewDatabases,
  '0128-database-moves': databaseMoves,
  '0129-database-imports': databaseImports,
  '0130-buckets': buckets,
  '0131-bucket-keys': bucketKeys,
  '0132-folders': folders,
  '0133-object-uploads': objectUploads,
  '0134-installation-backups': installationBackups,
  '0136-container-retention': containerRetention,
  '0137-work-errors': workErrors,
  '0138-backup-rows': backupRows,
  '0140-stored-bytes': storedBytes,
  '0142-bucket-lifecycles': bucketLifecycles,
  '0143-bucket-sites': bucketSites,
  '0144-deleted-files': deletedFiles,
  '0147-site-domains': siteDomains,
  '0148-site-records': siteRecords,
  '0160-moving-objects': movingObjects,
  '0161-upgrade-rollbacks': upgradeRollbacks,
  '0162-unsealed-records': unsealedRecords,
  '0163-running-trials': runningTrials,
  '0164-server-backup-alerts': serverBackupAlerts,
};
