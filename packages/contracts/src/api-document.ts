import { authOperations } from './auth-operations.ts';
import * as exported from './index.ts';
import { type OpenApiDocument, openApiDocument } from './openapi.ts';

export { type OpenApiDocument, openApiDocument } from './openapi.ts';

/** What each domain is about, for people. */
const TAGS: Record<keyof typeof exported.contract, string> = {
  auth: 'Accounts, sessions and access tokens',
  workspaces: 'Workspaces, their members and invitations',
  projects: 'Projects, their variables and frameworks',
  variableGroups: 'Groups of variables that several projects share',
  deployments: 'Deployments of projects, their logs, cancelling and rollback',
  deployKeys: 'Keys by which projects read their repositories over SSH',
  pushHooks: 'Push hooks of projects, and what they were told of',
  commitStatuses: 'What Git hosts were told of deployed commits',
  previews: 'Projects of their own for branches of a repository',
  processes: 'Processes of running apps',
  customDomains: 'Domains of your own at which apps answer',
  disks: 'Folders of projects that outlive their releases',
  appRuns: "Cron jobs and commands in an app's environment",
  observability: 'Logs, metrics and events of running apps',
  alerts: 'What somebody should look at',
  alertChannels: 'Where alerts are told, and to whom',
  storage: 'Files',
  storageUploads: 'Files of any size, which arrive in parts',
  storageTrash: 'Files that were deleted, for seven days',
  storageVersions: 'What files were before, in buckets that keep versions',
  buckets: 'Buckets of files, and access keys for S3 clients',
  bucketSites: 'Buckets as web sites, at domains of your own',
  containers: 'Container images of the registry',
  databases: 'Managed databases',
  databaseBackups: 'Backups of databases: any moment of their past, brought back',
  databaseContents: 'Contents of PostgreSQL databases: tables, rows and statements',
  databaseFigures:
    'What PostgreSQL databases do: figures of 7 days, slow statements, sessions and their locks',
  databaseImports: 'Dumps imported into PostgreSQL databases',
  databaseUsers: 'Further users of PostgreSQL databases',
  databaseExtensions: 'Extensions of PostgreSQL databases',
  dns: 'DNS zones and records',
  mobileApps: 'Build configuration of mobile apps',
  marketplace: 'Templates and services installed in one step',
  paymentGateway: 'Virtual accounts and payments between them',
  billing: 'Plans, card payments and usage',
  admin: 'Administration of the whole installation',
  audit: 'Who did what',
  assistant: 'Questions and answers about your resources',
};

/** In Markdown. */
const DESCRIPTION = `Sign in by \`POST /api/login\` and send its cookie, or send an access token of the account page as
\`Authorization: Bearer <token>\`. Errors are \`{ message, code, requestId, fields?, existingId? }\`. Writes may carry an
\`Idempotency-Key\`.`;

/** The document of all that `/api` and `/files` answer at `serverUrl`, the origin of the console. */
export function apiDocument(serverUrl: string): OpenApiDocument {
  return openApiDocument(exported.contract, {
    version: '0.1.0',
    serverUrl,
    description: DESCRIPTION,
    tags: TAGS,
    named: exported,
    plain: authOperations,
  });
}
