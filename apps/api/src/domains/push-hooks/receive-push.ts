import type { PushDelivery } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { unauthorized } from '../../core/errors.ts';
import { countCall } from '../../platform/rate-limit.ts';
import { readUser } from '../auth/user-columns.ts';
import { lockProject } from '../projects/read.ts';
import { judgePushes } from './judge-push.ts';
import type { PushHooksParts } from './push-hooks.ts';
import { type Push, readPush } from './read-push.ts';
import { authenticSender, deliveryIdOf, eventOf, type HookCall } from './sender.ts';
import { findSecret } from './service.ts';

/** Deliveries that one project takes in a minute. */
const PER_MINUTE = 60;
/** Deliveries that are kept of one project. */
const KEPT = 50;

/** What became of a delivery. */
export type Received = Pick<PushDelivery, 'result' | 'reason' | 'deploymentId'>;

/**
 * Takes what a Git host says of a project: deploys it, or says why not. What it was told and what it queued are stored
 * together. Throws 401 for whatever does not prove that it has the secret, whether there is such a project or not.
 */
export async function receivePush(
  parts: PushHooksParts,
  projectId: string,
  call: HookCall,
): Promise<Received> {
  const { db, secrets } = parts;
  const hook = await findSecret(db, secrets, projectId);
  const sender = hook && authenticSender(call, hook.secret);
  if (!hook || !sender) throw unauthorized();
  await countCall(parts, { key: `push-hook:${projectId}`, calls: PER_MINUTE, seconds: 60 });
  const event = eventOf(sender, call.headers);
  const told = readPush(sender, event, call.body);
  const deliveryId = deliveryIdOf(sender, call.headers);
  return atomically(db, async (trx) => {
    const project = await lockProject(trx, hook.ownerId, projectId);
    if (!project) throw unauthorized();
    const earlier = deliveryId && (await findDeployed(trx, project, deliveryId));
    if (earlier) return earlier;
    const { push, ...received } =
      'reason' in told
        ? { push: undefined, ...ignored(told.reason) }
        : await follow(trx, parts, { project, sender: sender.name, pushes: told.pushes });
    const { branch = '', commit = '' } = push ?? {};
    await record(trx, project, { ...received, deliveryId, sender: sender.name, event, branch, commit });
    return received;
  });
}

type Project = Selectable<Database['projects']>;

function ignored(reason: string): Received {
  return { result: 'ignored', reason, deploymentId: null };
}

interface Followed {
  project: Project;
  sender: PushDelivery['sender'];
  pushes: readonly Push[];
}

/** Deploys what the project wants of these. */
async function follow(
  trx: Kysely<Database>,
  { deploy }: PushHooksParts,
  { project, sender, pushes }: Followed,
): Promise<Received & { push: Push | undefined }> {
  const branch = project.branch || pushes[0]?.defaultBranch || (await lastDeployed(trx, project));
  const { paths = [] } =
    (await trx
      .selectFrom('pushHooks')
      .select('paths')
      .where('ownerId', '=', project.ownerId)
      .where('projectId', '=', project.id)
      .executeTakeFirst()) ?? {};
  const { push, ...judged } = judgePushes(pushes, { branch, paths });
  if ('reason' in judged) return { push, ...ignored(judged.reason) };
  const owner = await readUser(trx, project.ownerId);
  if (!owner) throw unauthorized();
  const cause = sender === '' ? 'Push hook called' : `Pushed to ${push?.branch} on ${sender}`;
  const outcome = await deploy(trx, { owner, project, cause });
  return 'deploymentId' in outcome
    ? { push, result: 'deployed', reason: '', ...outcome }
    : { push, result: 'refused', reason: outcome.reason, deploymentId: null };
}

/** The branch that the newest deployment found; '' where none found one. */
async function lastDeployed(trx: Kysely<Database>, { ownerId, id, repositoryUrl }: Project): Promise<string> {
  const deployment = await trx
    .selectFrom('deployments')
    .select('branch')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .where('repositoryUrl', '=', repositoryUrl)
    .where('branch', '!=', '')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return deployment?.branch ?? '';
}

/** A repetition of a delivery that was deployed. */
function findDeployed(
  trx: Kysely<Database>,
  { ownerId, id }: Project,
  deliveryId: string,
): Promise<Received | undefined> {
  return trx
    .selectFrom('pushDeliveries')
    .select(['result', 'reason', 'deploymentId'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .where('deliveryId', '=', deliveryId)
    .where('result', '=', 'deployed')
    .executeTakeFirst();
}

async function record(
  trx: Kysely<Database>,
  { ownerId, id: projectId }: Project,
  delivery: Omit<PushDelivery, 'id' | 'createdAt'> & { deliveryId: string | null },
): Promise<void> {
  await trx
    .insertInto('pushDeliveries')
    .values({ ownerId, projectId, ...delivery })
    .execute();
  await sql`
    delete from push_deliveries
    where project_id = ${projectId} and id <= (
      select id from push_deliveries where project_id = ${projectId} order by id desc offset ${KEPT} limit 1
    )`.execute(trx);
}
