import type { contract } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import type { AppAddress } from '../../platform/host-address.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { ContainerState, IsolationFact, RuntimeState } from '../deployments/engine/engine.ts';
import type { Domain } from '../domain.ts';
import { projectsOfDatabase } from './database-uses.ts';
import type { FindRecipe } from './find-recipe.ts';
import { readDockerfile } from './read.ts';
import { removeWithRecords } from './remove-project.ts';
import { containersFor, runtimesFor } from './runnable.ts';
import { createProject, getProject, listProjects, updateProject } from './service.ts';
import { listVariables, removeVariable, scopeVariable, setVariable, setVariables } from './variables.ts';

/** What projects ask of what deploys them. */
export interface Deployer {
  runtimes(): RuntimeState[];
  containers(): ContainerState;
  isolation(): readonly IsolationFact[];
  /** Queues a deployment of a project as it is now, in the transaction that holds its row. */
  deploy(trx: Kysely<Database>, project: Selectable<Database['projects']>): Promise<unknown>;
  /** Ends a deleted project's builds and app, and deletes its folders. */
  removeProject(trx: Kysely<Database>, projectId: string): Promise<void>;
}

/** What projects ask of what leads to their apps. */
export interface AppRecords {
  /** Deletes the DNS records that lead to a project or its previews, in the transaction `ctx.db`. Throws 404, 409. */
  remove(ctx: UserContext, projectId: string): Promise<void>;
}

/** What the domain was made with. */
export interface ProjectsParts extends Pick<Platform, 'settings' | 'secrets'> {
  deployer: Deployer;
  findRecipe: FindRecipe;
  appAddress: AppAddress;
  /** Where a new project's database is made. */
  databases: Pick<DatabasesParts, 'servers' | 'work' | 'secrets'>;
  /** DNS records that can go with a project. */
  appRecords: AppRecords;
}

/** Projects and their variables. */
export function createProjects(
  { settings, secrets }: Pick<Platform, 'settings' | 'secrets'>,
  deployer: Deployer,
  { databases, findRecipe, appAddress, appRecords }: Omit<ProjectsParts, keyof Platform | 'deployer'>,
): Domain<typeof contract.projects> & ProjectsParts {
  const parts: ProjectsParts = {
    ...{ settings, secrets, deployer, findRecipe, databases, appAddress, appRecords },
  };
  return {
    ...parts,
    handlers: {
      list: ({ ctx, input }) => listProjects(ctx, parts, input),
      create: ({ ctx, input }) => createProject(ctx, parts, input),
      get: ({ ctx, input }) => getProject(ctx, parts, input.id),
      update: ({ ctx, input }) => updateProject(ctx, parts, input),
      remove: ({ ctx, input }) => removeWithRecords(ctx, parts, input),
      variables: ({ ctx, input }) => listVariables(ctx, input.id),
      setVariables: ({ ctx, input }) => setVariables(ctx, secrets, input),
      setVariable: ({ ctx, input }) => setVariable(ctx, secrets, input),
      scopeVariable: ({ ctx, input }) => scopeVariable(ctx, input),
      removeVariable: ({ ctx, input }) => removeVariable(ctx, input),
      dockerfile: ({ ctx, input }) => readDockerfile(ctx, input.id),
      ofDatabase: ({ ctx, input }) => projectsOfDatabase(ctx, input.id),
      runtimes: ({ ctx }) => runtimesFor(settings, ctx.workspace, deployer),
      containerRuntime: ({ ctx }) => containersFor(settings, ctx.workspace, deployer),
    },
  };
}
