import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import { conflict, notFound, unprocessable } from '../../core/errors.ts';
import type { GitRequest, OpenRepository } from '../deployments/engine/engine.ts';
import { takesPushes } from '../projects/pushed-source.ts';
import type { Pusher } from './access.ts';
import type { GitParts } from './git-pushes.ts';

export type PushedProject = Selectable<Database['projects']>;

/** A project's repository, open until it is closed; nobody else uses it meanwhile. */
export interface OpenedFor {
  project: PushedProject;
  repository: OpenRepository;
  close(): Promise<void>;
}

const GIT = /^([a-z0-9-]{1,63})(?:\.git)?$/;

/**
 * Opens the repository of somebody's project, as its address names it, once nobody else uses it. Throws 404 for a
 * project that is not theirs as for one that is not there, and for a push 409 where the project is deployed from
 * elsewhere and 422 where its repository is full.
 */
export async function openFor(
  { db, engine, gates }: GitParts,
  { owner, personId, projectId }: Pusher,
  { name, service }: { name: string; service: GitRequest['service'] },
): Promise<OpenedFor> {
  const [, slug = ''] = GIT.exec(name) ?? [];
  const project = await findProject(db, owner.id, slug);
  if (!project || (projectId !== null && projectId !== project.id))
    throw notFound('NOT_FOUND', 'There is no such project.');
  const isPush = service === 'git-receive-pack';
  if (isPush && !takesPushes(project)) throw conflict('OTHER_SOURCE', whyNoPush(project));
  const leave = await enter(gates, { personId, projectId: project.id });
  try {
    const repository = await engine.openRepository({ projectId: project.id, account: project.account });
    const close = async () => {
      try {
        await repository[Symbol.asyncDispose]();
      } finally {
        leave();
      }
    };
    try {
      if (!(await findProject(db, owner.id, slug))) {
        // It was deleted while its folders were made.
        await repository[Symbol.asyncDispose]();
        await engine.removeProject(project.id);
        throw notFound('NOT_FOUND', 'There is no such project.');
      }
      const full = isPush ? await repository.whyFull() : '';
      if (full) throw unprocessable('REPOSITORY_FULL', full);
    } catch (error) {
      await close();
      throw error;
    }
    return { project, repository, close };
  } catch (error) {
    leave();
    throw error;
  }
}

/** First a place of their own, so that nobody keeps others waiting by waiting. */
async function enter(
  { people, repositories }: GitParts['gates'],
  { personId, projectId }: { personId: string; projectId: string },
): Promise<() => void> {
  const leave = await people.enter(personId);
  try {
    const leaveRepository = await repositories.enter(projectId);
    return () => {
      leaveRepository();
      leave();
    };
  } catch (error) {
    leave();
    throw error;
  }
}

function findProject(
  db: Kysely<Database>,
  ownerId: string,
  slug: string,
): Promise<PushedProject | undefined> {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('slug', '=', slug)
    .executeTakeFirst();
}

function whyNoPush({ repositoryUrl, image }: PushedProject): string {
  if (repositoryUrl)
    return `This project is deployed from ${repositoryUrl}. To push to it, remove that URL in its settings.`;
  if (image)
    return `This project is deployed from the image ${image}. To push to it, remove that in its settings.`;
  return 'This project is an app of the marketplace. Create a project of your own to push to.';
}
