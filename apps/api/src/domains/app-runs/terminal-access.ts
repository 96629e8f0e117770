import type { TerminalState, User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import type { Settings } from '../../core/env.ts';
import { conflict, forbidden, notFound, Refusal, unavailable } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { AppCommands } from '../deployments/engine/app-commands.ts';
import type { DeployedApp } from '../deployments/engine/engine.ts';
import { readDeployed } from '../deployments/live.ts';
import { whyNoCode } from '../projects/runnable.ts';
import { releaseOf } from './release.ts';

export interface TerminalAccess {
  db: Kysely<Database>;
  settings: Settings;
  secrets: SecretsBox;
  commands: Pick<AppCommands, 'has' | 'whyNoTerminal' | 'isolation'>;
}

const NO_RELEASE = 'There is no release to open a terminal in. Deploy the app first.';
const ELSEWHERE = "This server doesn't have the app's release. Deploy again.";

/** Whether a person may open terminals in a project: its owner or an admin, who may run code here. Throws 404 or 403. */
export async function assertMayOpen(
  { db, settings, commands }: Pick<TerminalAccess, 'db' | 'settings' | 'commands'>,
  user: User,
  projectId: string,
): Promise<void> {
  const project = await db
    .selectFrom('projects')
    .select('id')
    .$if(user.role !== 'admin', (query) => query.where('ownerId', '=', user.id))
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (!project) throw notFound();
  const reason = whyNoCode(settings, user, commands.isolation());
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
  return app;
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
