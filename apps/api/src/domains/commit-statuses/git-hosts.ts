import type { PushDelivery } from '@nephos/contracts';
import type { RepositoryCredentials } from '../deployments/engine/engine.ts';

/** The programs of Git hosts, as far as their protocols differ. */
export type GitHost = 'GitHub' | 'GitLab' | 'Gitea' | 'Bitbucket Cloud' | 'Bitbucket Data Center';

/** What a host is told of a commit. */
export interface Report {
  state: 'pending' | 'success' | 'failure';
  commit: string;
  /** Of the project: what tells its statuses from others' of the same commit. */
  slug: string;
  description: string;
  /** Where more is to be read. */
  page: string;
}

/** A POST of JSON. */
export interface StatusCall {
  url: URL;
  authorization: string;
  body: Record<string, string>;
}

/** Public hosts, by their names. All others run what their push hooks are sent by. */
const KNOWN: Readonly<Record<string, GitHost>> = {
  'github.com': 'GitHub',
  'gitlab.com': 'GitLab',
  'codeberg.org': 'Gitea',
  'bitbucket.org': 'Bitbucket Cloud',
};

/** APIs that have a host of their own. */
const PUBLIC_APIS: Readonly<Record<string, string>> = {
  'https://github.com': 'https://api.github.com/',
  'https://bitbucket.org': 'https://api.bitbucket.org/2.0/',
};

/** Where the others have theirs at their own host. */
const API_PATHS: Readonly<Record<GitHost, string>> = {
  GitHub: '/api/v3/',
  GitLab: '/api/v4/',
  Gitea: '/api/v1/',
  'Bitbucket Cloud': '/2.0/',
  'Bitbucket Data Center': '/rest/build-status/1.0/',
};

/** What runs at an origin; undefined where neither its name nor the sender of a delivery from there tells. */
export function gitHostAt(origin: string, sender: PushDelivery['sender']): GitHost | undefined {
  const known = KNOWN[new URL(origin).hostname];
  if (known) return known;
  if (sender === 'Bitbucket') return 'Bitbucket Data Center';
  return sender === 'GitHub' || sender === 'GitLab' || sender === 'Gitea' ? sender : undefined;
}

/** How a host is told. The token goes to its API alone, which is at the repository's own origin or a public host's. */
export function statusCall(
  host: GitHost,
  repositoryUrl: string,
  credentials: RepositoryCredentials,
  report: Report,
): StatusCall {
  const { origin } = credentials;
  const repository = new URL(repositoryUrl).pathname.replace(/^\/+|(\.git)?\/*$/g, '');
  const [path, body] = PROTOCOLS[host](repository, report);
  return {
    url: new URL(path, PUBLIC_APIS[origin] ?? new URL(API_PATHS[host], origin)),
    authorization: authorizationFor(host, credentials),
    body,
  };
}

type Protocol = (repository: string, report: Report) => [path: string, body: StatusCall['body']];

const PROTOCOLS: Readonly<Record<GitHost, Protocol>> = {
  // https://docs.github.com/rest/commits/statuses
  GitHub: (repository, report) => [`repos/${repository}/statuses/${report.commit}`, statusOf(report)],
  // https://docs.gitea.com/api (repoCreateStatus), which Forgejo has as well
  Gitea: (repository, report) => [`repos/${repository}/statuses/${report.commit}`, statusOf(report)],
  // https://docs.gitlab.com/api/commits/#set-commit-pipeline-status
  GitLab: (repository, report) => [
    `projects/${encodeURIComponent(repository)}/statuses/${report.commit}`,
    { ...statusOf(report), state: report.state === 'failure' ? 'failed' : report.state },
  ],
  // https://developer.atlassian.com/cloud/bitbucket/rest/api-group-commit-statuses
  'Bitbucket Cloud': (repository, report) => [
    `repositories/${repository}/commit/${report.commit}/statuses/build`,
    buildOf(report),
  ],
  // https://developer.atlassian.com/server/bitbucket/how-tos/updating-build-status-for-commits
  'Bitbucket Data Center': (_repository, report) => [`commits/${report.commit}`, buildOf(report)],
};

function statusOf({ state, slug, description, page }: Report): StatusCall['body'] {
  return { state, context: nameOf(slug), description, target_url: page };
}

const BUILD_STATES = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' } as const;

function buildOf({ state, slug, description, page }: Report): StatusCall['body'] {
  return { state: BUILD_STATES[state], key: slug, name: nameOf(slug), description, url: page };
}

function nameOf(slug: string): string {
  return `nephos/${slug}`;
}

/** User names that stand for a token, beside which no name is asked for. */
const TOKEN_USERS = new Set(['x-access-token', 'x-token-auth', 'oauth2']);

function authorizationFor(host: GitHost, { username, token }: RepositoryCredentials): string {
  if (host === 'Gitea') return `token ${token}`;
  if (host.startsWith('Bitbucket') && !TOKEN_USERS.has(username))
    return `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
  return `Bearer ${token}`;
}
