import type { DeploymentJob } from '../engine.ts';

type Asked = Pick<DeploymentJob, 'branch' | 'repositoryCredentials'>;

/** What git says, and what that means to a person; completes 'Failed to clone the repository: …'. */
const MEANINGS: readonly (readonly [RegExp, (asked: Asked) => string])[] = [
  [
    /Permission denied \((publickey|.*,publickey)/i,
    () =>
      "the Git server refused the deploy key. Add the public key in the project's settings to the repository",
  ],
  [
    /Host key verification failed|HOST IDENTIFICATION HAS CHANGED/i,
    () =>
      "the Git server has another host key than at first. If it was changed on purpose, forget the old one in the project's settings",
  ],
  [
    /Remote branch .* not found|Could not find remote branch/,
    ({ branch }) => `it has no branch ${JSON.stringify(branch)}`,
  ],
  [
    /could not read (Username|Password)|Authentication failed|terminal prompts disabled|error: 40[13]/i,
    ({ repositoryCredentials }) =>
      repositoryCredentials
        ? "the Git server refused the token. Enter one that can read this repository in the project's settings"
        : "it is private, or the URL is wrong. For a private one, enter a token in the project's settings",
  ],
  [/error: 3\d\d|redirect/i, () => 'the URL redirects. Use the final URL'],
  [
    /repository '.*' not found|Repository not found|not found: did you run|error: 404|does not appear to be a git repository|does not exist/i,
    () => 'no Git repository was found at this URL',
  ],
  [/dubious ownership|Permission denied/i, () => 'the build account has no permission to read its folder'],
  [/transport '.*' not allowed/, () => 'this type of URL is not allowed'],
  [
    /Could not resolve host|Failed to connect|Couldn't connect|Connection refused|timed out|unreachable/i,
    () => 'the Git server is unreachable',
  ],
  [/SSL|certificate/i, () => "the Git server's certificate is not valid"],
  [
    /early EOF|unexpected disconnect|hung up|RPC failed|error: 5\d\d/i,
    () => 'the Git server closed the connection',
  ],
];

/** Why a clone failed, from what git wrote to standard error in the C locale. */
export function explainGit(stderr: string, asked: Asked): string {
  const known = MEANINGS.find(([pattern]) => pattern.test(stderr));
  return known ? known[1](asked) : 'git failed. See the log for details';
}
