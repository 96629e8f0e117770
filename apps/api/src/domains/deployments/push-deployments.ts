import { imageReferenceOf } from '@nephos/contracts';
import { type Database, isRetryable } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { Refusal } from '../../core/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { PushedTags } from '../containers/registry/manifest-push.ts';
import { recordEvent } from '../observability/events.ts';
import { assertMayRunCode } from '../projects/runnable.ts';
import type { DeploymentsParts } from './deployments.ts';
import { queueNewest } from './service.ts';

type Parts = Pick<DeploymentsParts, 'settings' | 'engine' | 'queue' | 'secrets' | 'findRecipe'> &
  Pick<Platform, 'log'>;

/**
 * Queues a deployment of each of the owner's projects whose image one of these tags is, in the transaction of the push.
 * Where a deployment is refused or fails to be queued, the project's events say so, and the push is none the worse.
 */
export async function deployPushed(
  trx: Kysely<Database>,
  parts: Parts,
  { owner, name, tags }: PushedTags,
): Promise<void> {
  const { host } = parts.settings.publicUrl;
  const tagOf = new Map(
    tags.map((tag) => [imageReferenceOf({ host, path: name, tag, digest: '' }), tag] as const),
  );
  const projects = await trx
    .selectFrom('projects')
    .selectAll()
    .where('ownerId', '=', owner.id)
    .where('image', 'in', [...tagOf.keys()])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const project of projects) {
    const cause = `Pushed ${name}:${tagOf.get(project.image)}`;
    await deployOne(trx, parts, { owner, project, cause });
  }
}

interface Pushed {
  owner: PushedTags['owner'];
  project: Selectable<Database['projects']>;
  cause: string;
}

/** Undoes what it did where it fails, so that the push and what was queued before are none the worse. */
async function deployOne(trx: Kysely<Database>, parts: Parts, pushed: Pushed): Promise<void> {
  const { owner, project, cause } = pushed;
  await sql`savepoint deploying`.execute(trx);
  try {
    assertMayRunCode(parts.settings, owner, parts.engine.isolation(), { builds: false });
    await queueNewest(trx, parts, project, { cause });
    await sql`release savepoint deploying`.execute(trx);
  } catch (error) {
    // The whole push is tried again.
    if (isRetryable(error)) throw error;
    await sql`rollback to savepoint deploying`.execute(trx);
    if (!(error instanceof Refusal))
      parts.log.error({ err: error, project: project.id }, 'a push deployed nothing');
    const message = `${cause}, which was not deployed: ${whyNot(parts, project, error)}`;
    await recordEvent(trx, { projectId: project.id, kind: 'deploy-failed', message });
  }
}

function whyNot({ settings, engine }: Parts, { image }: Pushed['project'], error: unknown): string {
  if (!(error instanceof Refusal)) return 'something went wrong on the server. Deploy it from here.';
  const isAway = settings.deployRuntime !== 'process' && image !== '' && !engine.containers().available;
  return isAway ? `${error.message} Deploy it when Docker is back.` : error.message;
}
