import type { RepositoryCredentials } from '../engine.ts';

/**
 * What has git log in to a repository's host, and to no other (git-config(1), `http.<url>.*`). In the environment, since
 * everybody can read the arguments of a process; another run of the project is of another group, so it cannot read that.
 */
export function credentialVariables(credentials: RepositoryCredentials | null): Record<string, string> {
  if (!credentials) return {};
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${credentials.origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basicOf(credentials)}`,
  };
}

/** What must not be readable in a log. */
export function secretsIn(credentials: RepositoryCredentials): string[] {
  return [credentials.token, basicOf(credentials)];
}

/** RFC 7617. */
function basicOf({ username, token }: RepositoryCredentials): string {
  return Buffer.from(`${username}:${token}`).toString('base64');
}
