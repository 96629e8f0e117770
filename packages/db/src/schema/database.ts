import type { IdentitiesTable, SessionsTable, UsersTable } from './auth.ts';
import type { DeploymentLogTable, DeploymentsTable } from './deployments.ts';
import type { IdempotencyKeysTable, RateLimitsTable } from './http.ts';
import type { ProjectsTable, ProjectVariablesTable } from './projects.ts';

/** Every table, in camel case as `CamelCasePlugin` maps it. */
export interface Database {
  users: UsersTable;
  sessions: SessionsTable;
  identities: IdentitiesTable;
  idempotencyKeys: IdempotencyKeysTable;
  rateLimits: RateLimitsTable;
  projects: ProjectsTable;
  projectVariables: ProjectVariablesTable;
  deployments: DeploymentsTable;
  deploymentLog: DeploymentLogTable;
}
