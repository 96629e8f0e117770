import type { PushDelivery } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Owner } from '../../core/context.ts';
import { unauthorized } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { countCall } from '../../platform/rate-limit.ts';
import type { CauseOutcome } from '../deployments/deploy-for-cause.ts';
import { lockProject } from '../projects/read.ts';
import { readEnabledOwner } from '../workspaces/workspace-columns.ts';
import { COMMIT_SAYS, judgePushes, skipIn, type Wanted, whyNotBuilt } from './judge-push.ts';
import type { PushHooksParts } from './push-hooks.ts';
import type { PullRequest } from './read-pull-request.ts';
import { type Push, readPush, type Told } from './read-push.ts';
import { authenticSender, deliveryIdOf, eventOf, type HookCall } from './sender.ts';
import { findSecret } from './service.ts';
import { watchedPaths } from './watched-paths.ts';

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
    // Before the project, as whoever makes or deletes one does.
    await lockAccount(trx, hook.ownerId);
    const project = await lockProject(trx, hook.ownerId, projectId);
    if (!project) throw unauthorized();
    const earlier = deliveryId && (await findDeployed(trx, project, deliveryId));
    if (earlier) return earlier;
    const { head, ...received } =
      'reason' in told
        ? { head: undefined, ...ignored(told.reason) }
        : await follow(trx, parts, { project, sender: sender.name, told });
    const { branch = '', commit = '' } = head ?? {};
    await record(trx, project, { ...received, deliveryId, sender: sender.name, event, branch, commit });
    return received;
  });
}

type Project = Selectable<Database['projects']>;
/** What became of a delivery, and of which commit. */
type Outcome = Received & { head: Pick<Push, 'branch' | 'commit'> | undefined };

function ignored(reason: string): Received {
  return { result: 'ignored', reason, deploymentId: null };
}

interface Following {
  project: Project;
  sender: PushDelivery['sender'];
  told: Exclude<Told, { reason: string }>;
}

/** Deploys what the project wants of it. */
async function follow(
  trx: Kysely<Database>,
  parts: PushHooksParts,
  { project, sender, told }: Following,
): Promise<Outcome> {
  const owner = await readEnabledOwner(trx, project.ownerId);
  if (!owner) throw unauthorized();
  const known = 'pullRequest' in told ? told.pullRequest : told.pushes[0];
  const branch = project.branch || known?.defaultBranch || (await lastDeployed(trx, project));
  const about = { owner, project, sender, branch, paths: await watchedPaths(trx, project) };
  return 'pullRequest' in told
    ? followPullRequest(trx, parts, about, told.pullRequest)
    : followPushes(trx, parts, about, told.pushes);
}

interface About extends Pick<Following, 'project' | 'sender'>, Wanted {
  owner: Owner;
}

/** Deploys the project's own branch, and the previews of others. */
async function followPushes(
  trx: Kysely<Database>,
  { deploy, followBranch }: PushHooksParts,
  { owner, project, sender, branch: own, paths }: About,
  pushes: readonly Push[],
): Promise<Outcome> {
  const causeOf = (push: Push) =>
    sender === '' ? 'Push hook called' : `Pushed to ${push.branch} on ${sender}`;
  const ofPreviews: Outcome[] = [];
  for (const push of own === '' ? [] : pushes) {
    if ([own, ''].includes(push.branch)) continue;
    const { branch, commit, deleted: ended } = push;
    const skip = whyNotBuilt(push, paths);
    const about = { owner, project, branch, commit, ended, skip, pullRequest: null };
    const followed = await followBranch(trx, { ...about, cause: causeOf(push) });
    if (followed) ofPreviews.push({ head: push, ...followed });
  }
  const { push, ...judged } = judgePushes(pushes, { branch: own, paths });
  if ('reason' in judged || !push) {
    const [first] = ofPreviews.toSorted((a, b) => rank(a) - rank(b));
    return first ?? { head: push, ...ignored('reason' in judged ? judged.reason : 'No branch was pushed.') };
  }
  return { head: push, ...received(await deploy(trx, { owner, project, cause: causeOf(push) })) };
}

/** What is told of several: a deployment before what was not deployed. */
function rank({ result }: Received): number {
  return ['deployed', 'refused', 'ignored'].indexOf(result);
}

const FORK =
  "The pull request is from another repository, whose code doesn't get what this project's previews have.";

async function followPullRequest(
  trx: Kysely<Database>,
  { followBranch }: PushHooksParts,
  { owner, project, sender, branch: own }: About,
  pull: PullRequest,
): Promise<Outcome> {
  const { number, isFork, ...head } = pull;
  if (isFork) return { head, ...ignored(FORK) };
  if (head.branch === own) return { head, ...ignored(`The project deploys ${own} by pushes to it.`) };
  const cause = `Pull request #${number} on ${sender}`;
  const { branch, commit, ended } = head;
  const skip = await whyPullNotBuilt(trx, project, pull);
  const about = { owner, project, branch, commit, ended, skip, pullRequest: number };
  const followed = await followBranch(trx, { ...about, cause });
  return { head, ...(followed ?? ignored('The project has no preview of this branch.')) };
}

/**
 * Why a pull request is not to be built, as a sentence: by its title, or by the message of its newest commit, which most
 * hosts tell with its push alone.
 */
async function whyPullNotBuilt(
  trx: Kysely<Database>,
  { ownerId, id }: Project,
  { title, commit, message, branch }: PullRequest,
): Promise<string | undefined> {
  const said = skipIn(title);
  if (said) return `The pull request's title says ${said}.`;
  const reason = whyNotBuilt({ message, files: undefined }, []);
  if (reason !== undefined || commit === '') return reason;
  const pushed = await trx
    .selectFrom('pushDeliveries')
    .select('reason')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .where('branch', '=', branch)
    // Some hosts shorten what they tell with a pull request.
    .where(sql<boolean>`starts_with(commit, ${commit})`)
    .where(sql<boolean>`starts_with(reason, ${COMMIT_SAYS})`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return pushed?.reason;
}

function received(outcome: CauseOutcome): Received {
  return 'deploymentId' in outcome
    ? { result: 'deployed', reason: '', ...outcome }
    : { result: 'refused', reason: outcome.reason, deploymentId: null };
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
  delivery: Omit<PushDelivery, 'id' | 'createdAt' | 'projectId'> & { deliveryId: string | null },
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
