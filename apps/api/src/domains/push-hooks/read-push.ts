import { z } from 'zod';
import { checked, parsePayload, word } from './payload.ts';
import { isAboutPullRequest, type PullRequest, readPullRequest } from './read-pull-request.ts';
import type { Sender } from './sender.ts';

/** A branch that changed. */
export interface Push {
  /** '' where it is not said: the one that the project deploys. */
  branch: string;
  /** The newest commit; '' where it is not said. */
  commit: string;
  /** The newest commit's message; '' where it is not said. */
  message: string;
  /** The repository's default branch; '' where it is not said. */
  defaultBranch: string;
  deleted: boolean;
  /** Files that changed; undefined where not all of them are named. */
  files: string[] | undefined;
}

/** What a delivery tells: branches that changed, a pull request, or why it is about neither, as a sentence. */
export type Told = { pushes: Push[] } | { pullRequest: PullRequest } | { reason: string };

const PINGS = new Set(['ping', 'diagnostics:ping']);
const PUSHES = new Set(['push', 'Push Hook', 'repo:push', 'repo:refs_changed']);
/** All zeros: there is no commit. */
const NO_COMMIT = /^0+$/;
/** The most commits that GitHub names in one delivery. */
const MAX_COMMITS = 2048;

const files = z.array(z.string()).catch([]);
const repository = z
  .object({ default_branch: word.catch('') })
  .optional()
  .catch(undefined);

const Commit = z.object({
  id: z.string().catch(''),
  message: z.string().catch(''),
  added: files,
  removed: files,
  modified: files,
});

/** A push as GitHub writes it, and with few words of their own Gitea and GitLab. */
const BranchPush = z.object({
  ref: word,
  before: z.string().catch(''),
  after: word.catch(''),
  deleted: z.boolean().catch(false),
  forced: z.boolean().catch(false),
  head_commit: Commit.nullish().catch(null),
  commits: z.array(Commit).catch([]),
  total_commits: z.number().optional().catch(undefined),
  total_commits_count: z.number().optional().catch(undefined),
  repository,
  project: repository,
});

/** Branches of one push. */
const MAX_CHANGES = 100;

/** Bitbucket Cloud names the new head of a branch, Bitbucket Data Center what changed about it. */
const BitbucketPush = z.object({
  push: z
    .object({
      changes: z
        .array(
          z.object({
            new: z
              .object({
                type: z.string(),
                name: word,
                target: z.object({ hash: word, message: z.string().catch('') }),
              })
              .nullish(),
            old: z.object({ type: z.string(), name: word }).nullish(),
          }),
        )
        .max(MAX_CHANGES),
    })
    .optional(),
  changes: z
    .array(
      z.object({
        ref: z.object({ displayId: word, type: z.string() }),
        toHash: word,
        type: z.string(),
      }),
    )
    .max(MAX_CHANGES)
    .optional(),
});

/** What a program of one's own may say. */
const OwnPush = z.object({
  branch: word.default(''),
  commit: word.default(''),
  message: z.string().default(''),
  files: z.array(z.string()).optional(),
});

/** Reads a delivery that is authentic. Throws 400 for what cannot be understood. */
export function readPush(sender: Sender, event: string, body: Buffer): Told {
  if (PINGS.has(event)) return { reason: 'A test of the hook. It works.' };
  if (isAboutPullRequest(event)) {
    const pullRequest = readPullRequest(sender.name, event, parsePayload(body));
    return pullRequest
      ? { pullRequest }
      : { reason: 'What is pushed to a pull request is deployed by that push.' };
  }
  if (!PUSHES.has(event)) return { reason: 'Only pushes and pull requests deploy.' };
  const payload = parsePayload(body);
  const told = tellers[sender.name](payload);
  return 'pushes' in told && told.pushes.length === 0 ? { reason: 'No branch was pushed.' } : told;
}

const tellers: Record<Sender['name'], (payload: unknown) => Told> = {
  GitHub: branchPush,
  Gitea: branchPush,
  GitLab: branchPush,
  Bitbucket: bitbucketPush,
  '': (payload) => {
    const push = checked(OwnPush, payload);
    return { pushes: [{ ...push, files: push.files, defaultBranch: '', deleted: false }] };
  },
};

function branchPush(payload: unknown): Told {
  const push = checked(BranchPush, payload);
  const [, branch] = /^refs\/heads\/(.+)$/.exec(push.ref) ?? [];
  if (!branch) return { reason: 'A tag was pushed, not a branch.' };
  const { head_commit, commits, after } = push;
  const head = head_commit ?? commits.find(({ id }) => id === after);
  const deleted = push.deleted || NO_COMMIT.test(after);
  return {
    pushes: [
      {
        branch,
        commit: deleted ? '' : after,
        message: head?.message ?? '',
        defaultBranch: push.repository?.default_branch || push.project?.default_branch || '',
        deleted,
        files: filesOf(push),
      },
    ],
  };
}

/** Of a new branch or one that was set back, the commits do not say what differs from what is deployed. */
function filesOf({ commits, before, forced, ...push }: z.output<typeof BranchPush>): string[] | undefined {
  const total = push.total_commits ?? push.total_commits_count ?? commits.length;
  const isWhole = commits.length > 0 && commits.length < MAX_COMMITS && total <= commits.length;
  if (!isWhole || forced || NO_COMMIT.test(before)) return undefined;
  return commits.flatMap(({ added, removed, modified }) => [...added, ...removed, ...modified]);
}

function bitbucketPush(payload: unknown): Told {
  const { push, changes = [] } = checked(BitbucketPush, payload);
  const cloud = (push?.changes ?? []).flatMap(({ new: head, old }) => {
    const named = head ?? old;
    if (named?.type !== 'branch') return [];
    const { hash = '', message = '' } = head?.target ?? {};
    return [{ branch: named.name, commit: hash, message, deleted: !head }];
  });
  const dataCenter = changes.flatMap(({ ref, toHash, type }) => {
    if (ref.type !== 'BRANCH') return [];
    const deleted = type === 'DELETE';
    return [{ branch: ref.displayId, commit: deleted ? '' : toHash, message: '', deleted }];
  });
  return {
    pushes: [...cloud, ...dataCenter].map((change) => ({ ...change, defaultBranch: '', files: undefined })),
  };
}
