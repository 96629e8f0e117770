import { z } from 'zod';
import { checked, word } from './payload.ts';
import type { Sender } from './sender.ts';

/** A pull request whose branch may have to be deployed, or whose preview may have to go. */
export interface PullRequest {
  number: number;
  /** The branch that it would merge. */
  branch: string;
  /** The newest commit of that; '' where it is not said. */
  commit: string;
  /** '' where it is not said. */
  title: string;
  /** That of the newest commit; '' where it is not said, as nowhere but on GitLab. */
  message: string;
  /** The target repository's default branch; '' where it is not said. */
  defaultBranch: string;
  /** Whether the branch is another repository's. */
  isFork: boolean;
  /** Merged, declined or closed. */
  ended: boolean;
}

const EVENTS =
  /^(pull_request(_sync)?|Merge Request Hook|pullrequest:(created|updated|fulfilled|rejected)|pr:(opened|from_ref_updated|merged|declined|deleted))$/;

/** Whether an event is about pull requests. */
export function isAboutPullRequest(event: string): boolean {
  return EVENTS.test(event);
}

const OPENED = new Set(['opened', 'reopened', 'open', 'reopen']);
const ENDED = new Set(['closed', 'close', 'merge']);
const OPENED_EVENT = /:(created|opened)$/;
const ENDED_EVENT = /:(fulfilled|rejected|merged|declined|deleted)$/;

const number = z.int().positive();
/** Repositories have numbers or UUIDs; one that was deleted has none. */
const repository = z
  .object({ id: z.union([z.string(), z.number()]).optional(), uuid: z.string().optional() })
  .nullish()
  .catch(null);

/** What people wrote, to look for words in; '' where there is none. */
const written = z.string().catch('');

const GithubPull = z.object({
  action: z.string(),
  pull_request: z.object({
    number,
    title: written,
    head: z.object({ ref: word, sha: word, repo: repository }),
    base: z.object({ repo: repository }),
  }),
  repository: z
    .object({ default_branch: word.catch('') })
    .optional()
    .catch(undefined),
});

const GitlabMerge = z.object({
  object_attributes: z.object({
    action: z.string().catch(''),
    iid: number,
    title: written,
    source_branch: word,
    /** Of one that was deleted there is none. */
    source_project_id: z.int().nullish(),
    target_project_id: z.int(),
    last_commit: z.object({ id: word, message: written }).nullish().catch(null),
  }),
  project: z
    .object({ default_branch: word.catch('') })
    .optional()
    .catch(undefined),
});

const CloudEnd = z.object({
  branch: z.object({ name: word }),
  commit: z.object({ hash: word }).nullish().catch(null),
  repository,
});
const CloudPull = z.object({
  pullrequest: z.object({ id: number, title: written, source: CloudEnd, destination: CloudEnd }),
});

const DataCenterEnd = z.object({ displayId: word, latestCommit: word.catch(''), repository });
const DataCenterPull = z.object({
  pullRequest: z.object({ id: number, title: written, fromRef: DataCenterEnd, toRef: DataCenterEnd }),
});

/**
 * Reads a delivery about a pull request that was opened or ended; undefined for any other, since what brings further
 * commits is told as a push as well. Throws 400.
 */
export function readPullRequest(
  sender: Sender['name'],
  event: string,
  payload: unknown,
): PullRequest | undefined {
  switch (sender) {
    case 'GitHub':
    case 'Gitea':
      return githubPull(payload);
    case 'GitLab':
      return gitlabMerge(payload);
    case 'Bitbucket':
      if (!OPENED_EVENT.test(event) && !ENDED_EVENT.test(event)) return undefined;
      return event.startsWith('pr:') ? dataCenterPull(event, payload) : cloudPull(event, payload);
    case '':
      return undefined;
  }
}

function githubPull(payload: unknown): PullRequest | undefined {
  const { action, pull_request: pull, ...rest } = checked(GithubPull, payload);
  if (!OPENED.has(action) && !ENDED.has(action)) return undefined;
  return {
    number: pull.number,
    branch: pull.head.ref,
    commit: pull.head.sha,
    title: pull.title,
    message: '',
    defaultBranch: rest.repository?.default_branch ?? '',
    isFork: !isSame(pull.head.repo, pull.base.repo),
    ended: ENDED.has(action),
  };
}

function gitlabMerge(payload: unknown): PullRequest | undefined {
  const { object_attributes: merge, project } = checked(GitlabMerge, payload);
  const { action } = merge;
  if (!OPENED.has(action) && !ENDED.has(action)) return undefined;
  return {
    number: merge.iid,
    branch: merge.source_branch,
    commit: merge.last_commit?.id ?? '',
    title: merge.title,
    message: merge.last_commit?.message ?? '',
    defaultBranch: project?.default_branch ?? '',
    isFork: merge.source_project_id !== merge.target_project_id,
    ended: ENDED.has(action),
  };
}

function cloudPull(event: string, payload: unknown): PullRequest {
  const { id, title, source, destination } = checked(CloudPull, payload).pullrequest;
  return {
    number: id,
    branch: source.branch.name,
    commit: source.commit?.hash ?? '',
    title,
    message: '',
    defaultBranch: '',
    isFork: !isSame(source.repository, destination.repository),
    ended: ENDED_EVENT.test(event),
  };
}

function dataCenterPull(event: string, payload: unknown): PullRequest {
  const { id, title, fromRef, toRef } = checked(DataCenterPull, payload).pullRequest;
  return {
    number: id,
    branch: fromRef.displayId,
    commit: fromRef.latestCommit,
    title,
    message: '',
    defaultBranch: '',
    isFork: !isSame(fromRef.repository, toRef.repository),
    ended: ENDED_EVENT.test(event),
  };
}

type Repository = z.output<typeof repository>;

/** Of a repository that is not named, nobody can tell. */
function isSame(one: Repository, other: Repository): boolean {
  const [first, second] = [one, other].map((named) => named?.uuid ?? named?.id);
  return first !== undefined && first === second;
}
