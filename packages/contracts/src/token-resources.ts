import type { TOKEN_RESOURCES } from './permissions.ts';

/** What a token may call that is bound to one thing. */
interface Opened {
  /** The member of the input that names the thing: its id, or a zone's domain. */
  field: 'id' | 'domain';
  /** `domain.procedure`. */
  rows: readonly string[];
}

/**
 * All that a bound token opens: rows that are about its thing and nothing else. What could reach another thing of the
 * workspace through it is left out, as variables are, which can refer to any database.
 */
export const OPENED_BY: Readonly<Record<(typeof TOKEN_RESOURCES)[number], Opened>> = {
  project: {
    field: 'id',
    rows: [
      'projects.get',
      'projects.dockerfile',
      'deployments.list',
      'deployments.create',
      'deployments.startApp',
      'deployments.restartApp',
      'deployments.stopApp',
      'commitStatuses.get',
      'previews.list',
      'processes.list',
      'disks.list',
      'customDomains.list',
      'appRuns.jobs',
      'appRuns.list',
      'observability.logs',
      'observability.logSources',
      'observability.logFile',
      'observability.metrics',
      'observability.events',
    ],
  },
  database: {
    field: 'id',
    rows: [
      'databases.get',
      'databases.connection',
      'databases.usage',
      'databases.retry',
      'databases.rotatePassword',
      'databaseBackups.get',
      'databaseBackups.start',
      'databaseBackups.prove',
      'databaseContents.tables',
      'databaseContents.table',
      'databaseContents.rows',
      'databaseContents.changeStatement',
      'databaseContents.run',
      'databaseContents.explain',
      'databaseContents.cancel',
      'databaseContents.statements',
      'databaseFigures.figures',
      'databaseFigures.statements',
      'databaseFigures.resetStatements',
      'databaseFigures.wake',
      'databaseFigures.sessions',
      'databaseFigures.cancelSession',
      'databaseFigures.endSession',
    ],
  },
  repository: {
    field: 'id',
    rows: [
      ...['containers.repository', 'containers.untagged', 'containers.removeUntagged'],
      ...['retention', 'previewRetention', 'setRetention', 'removeRetention'].map(
        (row) => `containers.${row}`,
      ),
    ],
  },
  zone: {
    field: 'domain',
    rows: [
      'dns.verify',
      'dns.zoneFile',
      'dns.zoneRecords',
      'dns.planImport',
      'dns.importZone',
      'dns.edit',
      'dns.signing',
      'dns.parentDelegation',
      'dns.secondaries',
    ],
  },
  bucket: {
    field: 'id',
    rows: [
      'buckets.get',
      'buckets.rules',
      ...['get', 'set', 'remove', 'addDomain', 'checkDomain', 'updateDomain', 'removeDomain'].map(
        (row) => `bucketSites.${row}`,
      ),
    ],
  },
};
