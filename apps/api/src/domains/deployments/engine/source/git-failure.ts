/** What git says, and what that means to a person; completes 'The repository cannot be cloned: …'. */
const MEANINGS: readonly (readonly [RegExp, (branch: string) => string])[] = [
  [
    /Remote branch .* not found|Could not find remote branch/,
    (branch) => `it has no branch ${JSON.stringify(branch)}`,
  ],
  [
    /could not read (Username|Password)|Authentication failed|terminal prompts disabled|error: 40[13]/i,
    () => 'it asks for a sign-in; only public repositories can be deployed, or the address is wrong',
  ],
  [
    /error: 3\d\d|redirect/i,
    () => 'its server redirects elsewhere, which is not followed; use the final address',
  ],
  [
    /repository '.*' not found|not found: did you run|error: 404|does not appear to be a git repository|does not exist/i,
    () => 'there is no Git repository at this address',
  ],
  [
    /dubious ownership|Permission denied/i,
    () => 'its folder cannot be read by the account that builds projects',
  ],
  [/transport '.*' not allowed/, () => 'this kind of address is not allowed'],
  [
    /Could not resolve host|Failed to connect|Couldn't connect|Connection refused|timed out|unreachable/i,
    () => 'its server cannot be reached',
  ],
  [/SSL|certificate/i, () => "its server's certificate is not valid"],
  [
    /early EOF|unexpected disconnect|hung up|RPC failed|error: 5\d\d/i,
    () => 'its server broke off the transfer',
  ],
];

/** Why a clone failed, from what git wrote to standard error in the C locale. */
export function explainGit(stderr: string, branch: string): string {
  const known = MEANINGS.find(([pattern]) => pattern.test(stderr));
  return known ? known[1](branch) : 'git failed; the log says why';
}
