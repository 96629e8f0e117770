import { Branch, type PreviewSettings } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Owner } from '../../core/context.ts';
import { Refusal } from '../../core/errors.ts';
import { removeProject } from '../projects/remove-project.ts';
import { followSource, makePreview } from './make-preview.ts';
import { makeCopies } from './preview-copies.ts';
import type { PreviewsParts } from './previews.ts';
import { readSettings } from './service.ts';

/** What a Git host says of a branch that is not the one the project deploys. */
export interface BranchNews {
  owner: Owner;
  /** The project whose repository has it. Its row is held, and before that its owner's. */
  project: Selectable<Database['projects']>;
  branch: string;
  /** '' where it is not said. */
  commit: string;
  /** The branch was deleted, or its pull request closed. */
  ended: boolean;
  /** Why it is not to be built, as a sentence; undefined where it is. */
  skip: string | undefined;
  /** Its number, where the news is about one. */
  pullRequest: number | null;
  /** Why there is something to deploy, for example `Pushed to next on GitHub`. */
  cause: string;
}

/** What became of it: a deployment of the preview, or why there is none. */
export type Followed =
  | { result: 'deployed'; reason: ''; deploymentId: string }
  | { result: 'ignored' | 'refused'; reason: string; deploymentId: null };

/** Deploys, makes or deletes a preview; nothing where the project wants none of that branch. */
export async function followBranch(
  trx: Kysely<Database>,
  parts: PreviewsParts,
  news: BranchNews,
): Promise<Followed | undefined> {
  const { project, branch, commit, ended, skip, pullRequest } = news;
  const preview = await findPreview(trx, news);
  if (ended) return preview && endPreview(trx, parts, news, preview);
  const settings = project.repositoryUrl === '' ? undefined : await readSettings(trx, project);
  if (!settings?.enabled || !settings.branches.some((pattern) => matches(pattern, branch))) return undefined;
  if (skip !== undefined) {
    if (preview) await notePush(trx, project.ownerId, preview.projectId);
    if (preview && pullRequest !== null) await storePullRequest(trx, news, preview, pullRequest);
    return ignored(skip);
  }
  const made = preview ?? (await makeUnderLimits(trx, parts, news, settings));
  if ('result' in made) return made;
  if (pullRequest !== null) await storePullRequest(trx, news, made, pullRequest);
  if (isSameCommit(made.commit, commit)) return ignored('This commit was queued for its preview before.');
  const source = { project, branch, to: made.projectId };
  await followSource({ db: trx, ownerId: project.ownerId }, parts.secrets, source);
  const { ownerId, id: parentId } = project;
  const { projectId } = made;
  try {
    await makeCopies(trx, parts.copyDatabase, { ownerId, parentId, projectId, branch });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!preview) await removeProject({ db: trx, ownerId }, parts, projectId);
    return refused(error.message);
  }
  return deployPreview(trx, parts, news, made.projectId);
}

function matches(pattern: string, branch: string): boolean {
  const [beginning = '', end] = pattern.split('*');
  if (end === undefined) return pattern === branch;
  const fits = branch.startsWith(beginning) && branch.endsWith(end);
  return fits && branch.length >= beginning.length + end.length;
}

/** Digits of a commit's id where a host shortens it, as Bitbucket does for pull requests. */
const SHORT = 12;

function isSameCommit(one: string, other: string): boolean {
  if (one.length < SHORT || other.length < SHORT) return one !== '' && one === other;
  return one.startsWith(other) || other.startsWith(one);
}

type Found = Pick<Selectable<Database['previews']>, 'projectId' | 'commit' | 'openPullRequests'>;

function findPreview(
  trx: Kysely<Database>,
  { project: { ownerId, id }, branch }: BranchNews,
): Promise<Found | undefined> {
  return trx
    .selectFrom('previews')
    .select(['projectId', 'commit', 'openPullRequests'])
    .where('ownerId', '=', ownerId)
    .where('parentId', '=', id)
    .where('branch', '=', branch)
    .executeTakeFirst();
}

async function endPreview(
  trx: Kysely<Database>,
  parts: PreviewsParts,
  { project: { ownerId }, pullRequest }: BranchNews,
  { projectId, openPullRequests }: Found,
): Promise<Followed> {
  const others = openPullRequests.filter((open) => open !== pullRequest);
  if (pullRequest !== null && others.length > 0) {
    const newest = Math.max(...others);
    await trx
      .updateTable('previews')
      .set({ openPullRequests: others, pullRequest: newest })
      .where('ownerId', '=', ownerId)
      .where('projectId', '=', projectId)
      .execute();
    return ignored(`Pull request #${pullRequest} was closed, but the preview is of #${newest}.`);
  }
  await parts.removeFollowers(trx, { ownerId, projectId });
  await removeProject({ db: trx, ownerId }, parts, projectId);
  const what = pullRequest === null ? 'The branch was deleted' : `Pull request #${pullRequest} was closed`;
  return ignored(`${what}, and its preview with it.`);
}

async function makeUnderLimits(
  trx: Kysely<Database>,
  parts: PreviewsParts,
  { project, branch }: BranchNews,
  { limit, groupId }: Pick<PreviewSettings, 'limit' | 'groupId'>,
): Promise<Found | Followed> {
  const name = Branch.safeParse(branch);
  if (!name.success) return refused(name.error.issues[0]?.message ?? 'The branch has no usable name.');
  const { count } = await trx
    .selectFrom('previews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ownerId', '=', project.ownerId)
    .where('parentId', '=', project.id)
    .executeTakeFirstOrThrow();
  if (count >= limit) return refused(`The project has as many previews as its settings allow: ${limit}.`);
  try {
    const projectId = await makePreview(trx, parts, { project, branch, groupId });
    return { projectId, commit: '', openPullRequests: [] };
  } catch (error) {
    if (error instanceof Refusal) return refused(error.message);
    throw error;
  }
}

/** Keeps a preview for as long again, whether there was something to deploy or not. */
async function notePush(
  trx: Kysely<Database>,
  ownerId: string,
  projectId: string,
  deployed: { commit?: string } = {},
): Promise<void> {
  await trx
    .updateTable('previews')
    .set({ pushedAt: sql<string>`clock_timestamp()`, ...deployed })
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .execute();
}

async function storePullRequest(
  trx: Kysely<Database>,
  { project: { ownerId } }: BranchNews,
  { projectId, openPullRequests }: Found,
  pullRequest: number,
): Promise<void> {
  const open = [...new Set([...openPullRequests, pullRequest])];
  await trx
    .updateTable('previews')
    .set({ pullRequest: Math.max(...open), openPullRequests: open })
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .execute();
}

async function deployPreview(
  trx: Kysely<Database>,
  { deployForCause }: PreviewsParts,
  { owner, cause, commit }: BranchNews,
  projectId: string,
): Promise<Followed> {
  const project = await trx
    .selectFrom('projects')
    .selectAll()
    .where('ownerId', '=', owner.id)
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const outcome = await deployForCause(trx, { owner, project, cause });
  const isDeployed = 'deploymentId' in outcome;
  await notePush(trx, owner.id, projectId, isDeployed ? { commit } : {});
  return isDeployed ? { result: 'deployed', reason: '', ...outcome } : refused(outcome.reason);
}

function ignored(reason: string): Followed {
  return { result: 'ignored', reason, deploymentId: null };
}

function refused(reason: string): Followed {
  return { result: 'refused', reason, deploymentId: null };
}
