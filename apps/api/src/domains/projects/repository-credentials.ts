import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { invalid } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { RepositoryCredentials } from '../deployments/engine/engine.ts';

/** What is typed of a repository: an absent field stays as it is. */
export interface GivenRepository {
  repositoryUrl?: string | undefined;
  repositoryUsername?: string | undefined;
  repositoryToken?: string | undefined;
}

/** What hosts take beside a token where they ask for no name in particular. */
const ANY_USERNAME = 'x-access-token';

function refuse(path: string, message: string): never {
  throw invalid(message, [{ path, message }]);
}

/**
 * The credentials that a change leaves: `undefined` for those that are there, null for none. They belong to the scheme,
 * host and port of the repository's address, and are never sent elsewhere.
 */
export function repositoryCredentialsAfter(
  former: string,
  { repositoryUrl = former, repositoryUsername, repositoryToken }: GivenRepository,
): RepositoryCredentials | null | undefined {
  const origin = originOf(repositoryUrl);
  const given = repositoryUsername !== undefined || repositoryToken !== undefined;
  if (!given) return origin !== undefined && origin === originOf(former) ? undefined : null;
  const [username = '', token = ''] = [repositoryUsername, repositoryToken];
  if (username === '' && token === '') return null;
  if (token === '') refuse('repositoryToken', 'Enter the token as well.');
  if (origin === undefined) refuse('repositoryToken', 'Only a repository with an HTTPS URL has a token.');
  return { origin, username: username || ANY_USERNAME, token };
}

function originOf(repositoryUrl: string): string | undefined {
  if (!URL.canParse(repositoryUrl)) return undefined;
  const { protocol, origin } = new URL(repositoryUrl);
  return ['https:', 'http:'].includes(protocol) ? origin : undefined;
}

/** Keeps them sealed, or none. */
export async function storeRepositoryCredentials(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  secrets: SecretsBox,
  projectId: string,
  credentials: RepositoryCredentials | null,
): Promise<void> {
  const repositoryCredentials =
    credentials && secrets.seal(JSON.stringify(credentials), contextOf(projectId));
  await db
    .updateTable('projects')
    .set({ repositoryCredentials })
    .where('ownerId', '=', ownerId)
    .where('id', '=', projectId)
    .execute();
}

/** The project's present ones; null where it has none. Never for an answer. */
export async function readRepositoryCredentials(
  db: Kysely<Database>,
  secrets: SecretsBox,
  projectId: string,
): Promise<RepositoryCredentials | null> {
  const project = await db
    .selectFrom('projects')
    .select('repositoryCredentials')
    .where('id', '=', projectId)
    .executeTakeFirst();
  const sealed = project?.repositoryCredentials;
  return sealed ? open(secrets, projectId, sealed) : null;
}

/** Gives a project of the same owner's and of the same repository those that another one has. */
export async function copyRepositoryCredentials(
  ctx: Pick<UserContext, 'db' | 'ownerId'>,
  secrets: SecretsBox,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await storeRepositoryCredentials(ctx, secrets, to, await readRepositoryCredentials(ctx.db, secrets, from));
}

/** What `storeRepositoryCredentials` has sealed. */
function open(secrets: SecretsBox, projectId: string, sealed: Buffer): RepositoryCredentials {
  // What we sealed ourselves.
  return JSON.parse(secrets.open(sealed, contextOf(projectId))) as RepositoryCredentials;
}

/** The project's present ones, as far as they are for the host of that repository. */
export function credentialsFor(
  secrets: SecretsBox,
  { id, repositoryCredentials: sealed }: { id: string; repositoryCredentials: Buffer | null },
  repositoryUrl: string,
): RepositoryCredentials | null {
  if (!sealed) return null;
  const credentials = open(secrets, id, sealed);
  return credentials.origin === originOf(repositoryUrl) ? credentials : null;
}

function contextOf(projectId: string): string {
  return `${projectId}:repository credentials`;
}
