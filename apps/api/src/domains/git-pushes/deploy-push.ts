import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { record } from '../../platform/audit.ts';
import type { PushedBranch } from '../deployments/engine/engine.ts';
import { takesPushes } from '../projects/pushed-source.ts';
import { lockProject } from '../projects/read.ts';
import { judgePushes, type Wanted } from '../push-hooks/judge-push.ts';
import type { Push } from '../push-hooks/read-push.ts';
import { watchedPaths } from '../push-hooks/watched-paths.ts';
import type { Pusher } from './access.ts';
import type { GitParts } from './git-pushes.ts';
import type { OpenedFor } from './open-for.ts';
import { settlePush } from './pending-pushes.ts';

/** Branches of which the first that is there becomes a new repository's default. */
const USUAL = ['main', 'master'];

/** What was queued, or what is said where nothing was, as a sentence; '' where there is nothing to say. */
export type PushOutcome = { deploymentId: string; commit: string } | { said: string };

interface Pushed {
  pusher: Pusher;
  opened: OpenedFor;
  /** The branches as they were before. */
  before: readonly PushedBranch[];
}

/** Deploys a project's branch where a push changed it. */
export async function deployPush(parts: GitParts, { pusher, opened, before }: Pushed): Promise<PushOutcome> {
  const { repository } = opened;
  const after = await repository.branches();
  const pushes = changesOf(before, after);
  if (pushes.length === 0) {
    await settlePush(parts.db, opened.project);
    return { said: '' };
  }
  const branch = await chooseDefault(opened, after);
  const paths = await watchedPaths(parts.db, opened.project);
  const wanted = pushes.find((push) => push.branch === branch && !push.deleted);
  if (wanted) {
    wanted.message = await repository.messageOf(wanted.commit);
    const former = before.find(({ name }) => name === branch);
    if (former && paths.length > 0)
      wanted.files = await repository.changedFiles(former.commit, wanted.commit);
  }
  return atomically(parts.db, async (trx) => {
    await recordPush(trx, { pusher, opened, before }, pushes);
    const outcome = await deployWanted(trx, parts, { pusher, opened, pushes, branch, paths });
    await settlePush(trx, opened.project);
    return outcome;
  });
}

/** Records which branches somebody made, moved and deleted. */
async function recordPush(
  trx: Kysely<Database>,
  { pusher, opened: { project }, before }: Pushed,
  pushes: readonly Push[],
): Promise<void> {
  const commits = new Map(before.map(({ name, commit }) => [name, commit]));
  const sideOf = (commitOf: (push: Push) => string | undefined) => ({
    branches: pushes.flatMap((push) => {
      const commit = commitOf(push);
      return commit ? [{ branch: push.branch, commit }] : [];
    }),
  });
  await record(trx, {
    ...{ ...pusher.by, ownerId: project.ownerId, procedure: 'projects.pushCommits' },
    subject: { kind: 'project', id: project.id, name: project.name },
    before: sideOf(({ branch }) => commits.get(branch)),
    after: sideOf(({ commit }) => commit),
  });
}

interface Judged extends Omit<Pushed, 'before'>, Wanted {
  pushes: readonly Push[];
}

async function deployWanted(
  trx: Kysely<Database>,
  { deployForCause }: GitParts,
  { pusher, opened, pushes, branch, paths }: Judged,
): Promise<PushOutcome> {
  const project = await lockProject(trx, pusher.owner.id, opened.project.id);
  if (!project) return { said: notDeployed('the project was deleted.') };
  if (!takesPushes(project)) return { said: notDeployed('the project is deployed from elsewhere by now.') };
  const judged = judgePushes(pushes, { branch, paths });
  const { push } = judged;
  if (push?.branch === branch && !push.deleted) {
    await trx
      .updateTable('projects')
      .set({ pushed: true })
      .where('ownerId', '=', pusher.owner.id)
      .where('id', '=', project.id)
      .execute();
  }
  if ('reason' in judged) return { said: notDeployed(judged.reason) };
  const { commit } = judged.push;
  const cause = `Pushed to ${branch}`;
  const outcome = await deployForCause(trx, {
    owner: pusher.owner,
    project: { ...project, pushed: true },
    ...{ cause, commit },
  });
  return 'reason' in outcome ? { said: notDeployed(outcome.reason) } : { ...outcome, commit };
}

function notDeployed(reason: string): string {
  return `Not deployed: ${reason}`;
}

function changesOf(before: readonly PushedBranch[], after: readonly PushedBranch[]): Push[] {
  const former = new Map(before.map(({ name, commit }) => [name, commit]));
  const changed = after.filter(({ name, commit }) => former.get(name) !== commit);
  const names = new Set(after.map(({ name }) => name));
  const gone = before.filter(({ name }) => !names.has(name));
  const pushOf = ({ name, commit }: PushedBranch, deleted: boolean): Push => ({
    ...{ branch: name, commit: deleted ? '' : commit, message: '', defaultBranch: '' },
    ...{ deleted, files: undefined },
  });
  return [...changed.map((one) => pushOf(one, false)), ...gone.map((one) => pushOf(one, true))];
}

/**
 * The branch that is deployed, which is also what a clone begins with: the project's, or where it names none, the one that
 * was first there.
 */
async function chooseDefault(
  { project, repository }: OpenedFor,
  after: readonly PushedBranch[],
): Promise<string> {
  const names = after.map(({ name }) => name);
  const former = after.find(({ isDefault }) => isDefault)?.name ?? '';
  const chosen = [project.branch, former, ...USUAL].find((name) => names.includes(name)) ?? names[0] ?? '';
  if (chosen !== former) await repository.setDefaultBranch(chosen);
  return project.branch || chosen;
}
