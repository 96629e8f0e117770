import { Detected, type TerminalState, type User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, notFound, Refusal, unavailable } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { assertFactor } from '../../http/factor-guard.ts';
import { assertMay } from '../../http/workspace-guard.ts';
import { FACTOR_DEMANDED_BY } from '../../platform/factor-demands.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { AppCommands } from '../deployments/engine/app-commands.ts';
import { WEB } from '../deployments/engine/detect/plan.ts';
import type { DeployedApp } from '../deployments/engine/engine.ts';
import { readDeployed } from '../deployments/live.ts';
import { whyNoCode } from '../projects/runnable.ts';
import { TRUST } from '../workspaces/workspace-columns.ts';
import { releaseOf } from './release.ts';

export interface TerminalAccess {
  db: Kysely<Database>;
  settings: Settings;
  secrets: SecretsBox;
  commands: Pick<AppCommands, 'has' | 'whyNoTerminal' | 'isolation'>;
}

const NO_RELEASE = 'There is no release to open a terminal in. Deploy the app first.';
const SITE =
  'A static site has no environment to open a terminal in: only its files are kept after the build.';
const ELSEWHERE = "This server doesn't have the app's release. Deploy again.";

/**
 * Whether a person may open terminals in a project: who may build in its workspace, or an admin, where code of theirs is
 * run here. To admins the console shows only projects of their workspaces: they reach others' through the API. Throws
 * 404 or 403.
 */
export async function assertMayOpen(
  { db, settings, commands }: Pick<TerminalAccess, 'db' | 'settings' | 'commands'>,
  user: User,
  projectId: string,
): Promise<void> {
  const project = await db
    .selectFrom('projects')
    .innerJoin('workspaces', 'workspaces.id', 'projects.ownerId')
    .leftJoin('workspaceMembers', (join) =>
      join
        .onRef('workspaceMembers.workspaceId', '=', 'projects.ownerId')
        .on('workspaceMembers.userId', '=', user.id),
    )
    .innerJoin('users', (join) => join.on('users.id', '=', user.id))
    .select(['workspaceMembers.role', TRUST.as('trust'), FACTOR_DEMANDED_BY.as('factorDemandedBy')])
    .where('projects.id', '=', projectId)
    .executeTakeFirst();
  const isAdmin = user.role === 'admin';
  if (!project || (!isAdmin && project.role === null)) throw notFound();
  assertFactor(project);
  if (!isAdmin && project.role) assertMay(project.role, 'build');
  const trusted = { trust: isAdmin ? 'admin' : project.trust } as const;
  const reason = whyNoCode(settings, trusted, commands.isolation(), { builds: false });
  if (reason !== null) throw forbidden('FORBIDDEN', reason);
}

/** The app in whose environment a terminal is opened. Throws 409, or 503 where this server can open none. */
export async function appForTerminal(access: TerminalAccess, projectId: string): Promise<DeployedApp> {
  const reason = access.commands.whyNoTerminal();
  if (reason !== '') throw unavailable(reason);
  const deploymentId = await releaseOf(access.db, { projectId, kind: 'command' });
  const app = deploymentId === undefined ? undefined : await readDeployed(access, deploymentId);
  if (!app) throw conflict('NO_RELEASE', NO_RELEASE);
  if (!(await access.commands.has(app))) throw conflict('NO_RELEASE', ELSEWHERE);
  if (await isSite(access.db, app)) throw conflict('NO_RELEASE', SITE);
  return app;
}

/**
 * Whether nothing runs of a deployment, as far as its row and the newest build tell. Where they don't, since a later build
 * found something else, its release does as the shell is opened.
 */
async function isSite(db: Kysely<Database>, { deploymentId, settings }: DeployedApp): Promise<boolean> {
  const deployment = await db
    .selectFrom('deployments')
    .innerJoin('projects', 'projects.id', 'deployments.projectId')
    .select(['deployments.framework', 'detected'])
    .select(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('deployments as later')
            .select('later.id')
            .whereRef('later.projectId', '=', 'projects.id')
            .where('later.kind', '=', 'deploy')
            // One that built nothing new names the release that it took, too.
            .where(
              sql<boolean>`later.id > case deployments.kind when 'deploy' then deployments.id else deployments.rollback_of end`,
            )
            .where('later.startedAt', 'is not', null),
        ),
      ).as('isNewest'),
    )
    .where('deployments.id', '=', deploymentId)
    .executeTakeFirst();
  if (!deployment) return false;
  if (deployment.framework === 'static') return true;
  const isSet =
    settings.startCommand !== '' ||
    settings.processes.some(({ name, command }) => name === WEB && command !== '');
  if (isSet || !deployment.isNewest || deployment.detected === null) return false;
  return Detected.parse(deployment.detected).processes.length === 0;
}

/** Whether a terminal can be opened, and if not, why. Throws 404. */
export async function readTerminal(
  { db, user }: UserContext,
  parts: Omit<TerminalAccess, 'db'>,
  projectId: string,
): Promise<z.output<typeof TerminalState>> {
  const access = { ...parts, db };
  await assertMayOpen(access, user, projectId);
  try {
    await appForTerminal(access, projectId);
    return { available: true, reason: '' };
  } catch (error) {
    if (error instanceof Refusal) return { available: false, reason: error.message };
    throw error;
  }
}
