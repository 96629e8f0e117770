import type { Push } from './read-push.ts';

/** Words in a commit's message by which people keep it from being built, on any Git host. */
const SKIP = /\[(skip ci|ci skip)\]/i;

/** The beginning of why a commit is not built. */
export const COMMIT_SAYS = "The commit's message says ";

/** What a project deploys. */
export interface Wanted {
  /** '' where nobody knows which one the repository's default branch is: then every push may be of it. */
  branch: string;
  /** None: whatever changed. */
  paths: readonly string[];
}

/** The one of several pushes that a project wants, or why it wants none, as a sentence. */
export function judgePushes(
  pushes: readonly Push[],
  { branch, paths }: Wanted,
): { push: Push } | { push: Push | undefined; reason: string } {
  const [first] = pushes;
  const push = pushes.find((candidate) => [candidate.branch, ''].includes(branch) || candidate.branch === '');
  if (!push) return { push: first, reason: `The project deploys the branch ${branch}.` };
  const reason = push.deleted ? 'The branch was deleted.' : whyNotBuilt(push, paths);
  return reason === undefined ? { push } : { push, reason };
}

/** Why a push is not to be built, whichever branch it is of, as a sentence. */
export function whyNotBuilt(
  { message, files }: Pick<Push, 'message' | 'files'>,
  paths: readonly string[],
): string | undefined {
  const said = skipIn(message);
  if (said) return `${COMMIT_SAYS}${said}.`;
  const isWatched = (file: string) => paths.some((path) => file === path || file.startsWith(`${path}/`));
  if (paths.length > 0 && files && !files.some(isWatched)) return 'None of the watched paths changed.';
  return undefined;
}

/** The words in a commit's message, or a title, by which it is not built; undefined where there are none. */
export function skipIn(text: string): string | undefined {
  return SKIP.exec(text)?.[0];
}
