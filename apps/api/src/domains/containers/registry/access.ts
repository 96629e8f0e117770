import type { TokenResource, TokenScope } from '@nephos/contracts';
import { may } from '@nephos/contracts/constants';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Owner } from '../../../core/context.ts';
import { factorRefusal } from '../../../http/factor-guard.ts';
import { clientAt } from '../../../platform/client-address.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readToken, readTokenById, TOKEN_PREFIX, type TokenBearer } from '../../auth/access-tokens.ts';
import { bearerOf } from '../../auth/identify.ts';
import { readOwner } from '../../workspaces/workspace-columns.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { mirroredName } from '../mirror/mirrored-name.ts';
import type { DeployPushed } from './manifest-push.ts';
import { denied, nameUnknown, RegistryError } from './registry-error.ts';
import { type Action, actionsOf, type Grant, type RegistryTokens } from './registry-token.ts';
import { findRepository, isInNamespace, type Repository } from './repositories.ts';

/** In whose name the registry is asked, and what an access token or a deployment may do there at most. */
export interface RegistryBearer {
  workspace: Owner;
  /** Null where it is a deployment. */
  person: { id: string; email: string } | null;
  /** Whose calls are counted: a person, or for a deployment the workspace. */
  counted: string;
  /** Its id and name are null where it is a deployment. */
  token: { id: string | null; name: string | null; scope: TokenScope; resource: TokenResource | null };
}

/**
 * What an access token is good for there: its person's role may hold less than its scope. Throws 403 where a second factor
 * is demanded of a person who has none.
 */
export function registryBearerOf({ user, workspace, token, factorDemandedBy }: TokenBearer): RegistryBearer {
  if (factorDemandedBy !== null) throw denied(factorRefusal(factorDemandedBy));
  const scope = may(workspace.role, 'build') ? token.scope : 'read';
  const person = { id: user.id, email: user.email };
  return { workspace, person, counted: user.id, token: { ...token, scope } };
}

/** Who asks the registry, and by what. */
export interface RegistryCaller {
  /** Null for anyone. */
  bearer: RegistryBearer | null;
  /** What a token of the registry was given for; null where none is shown, which then narrows nothing. */
  grants: readonly Grant[] | null;
  /** Whether the catalogue may be listed with what is shown. */
  mayList: boolean;
}

export interface RegistryParts {
  deps: Pick<Platform, 'settings' | 'db' | 'objects' | 'callCounts'>;
  tokens: RegistryTokens;
  deployPushed: DeployPushed;
  /** Undefined where no other registry is pulled through. */
  mirror: Mirror | undefined;
}

const CALLS_PER_MINUTE = 600;

/** Counts a call of the registry, or for one of its tokens: of one person, or of one address without a person. */
export async function countRegistryCall(
  { deps }: RegistryParts,
  bearer: RegistryBearer | null,
  { door, ip }: { door: 'registry' | 'registry-token'; ip: string },
): Promise<void> {
  const key = bearer ? `${door}:${bearer.counted}` : `${door}-signed-out:${clientAt(ip)}`;
  await deps.callCounts.count({ key, calls: CALLS_PER_MINUTE, seconds: 60 });
}

interface Challenge {
  name?: string;
  action?: Action;
  catalogue?: boolean;
  /** RFC 6750 §3.1. */
  error?: 'invalid_token' | 'insufficient_scope';
}

/** 401 by which clients learn where to get which token (Docker token specification). */
export function challenge(
  { deps, tokens }: RegistryParts,
  { name, action, catalogue, error }: Challenge = {},
): RegistryError {
  const fields = [
    `realm="${deps.settings.publicUrl.origin}/v2/token"`,
    `service="${tokens.service}"`,
    ...(name !== undefined && action ? [`scope="repository:${name}:${scopeFor(action)}"`] : []),
    ...(catalogue ? ['scope="registry:catalog:*"'] : []),
    ...(error ? [`error="${error}"`] : []),
  ];
  return new RegistryError({
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'Log in with your email address and an access token.',
    headers: { 'www-authenticate': `Bearer ${fields.join(',')}` },
  });
}

/** Who pushes also asks what is there already. */
function scopeFor(action: Action): string {
  return action === 'push' ? 'pull,push' : action;
}

/** Throws the challenge for a token that is not, or no longer, one. */
export async function identify(
  parts: RegistryParts,
  authorization: string | undefined,
): Promise<RegistryCaller> {
  if (authorization === undefined) return { bearer: null, grants: null, mayList: false };
  const { db } = parts.deps;
  const token = bearerOf(authorization);
  if (token === undefined) throw challenge(parts);
  if (token.startsWith(TOKEN_PREFIX)) {
    const bearer = await readToken(db, token);
    if (!bearer) throw challenge(parts, { error: 'invalid_token' });
    return { bearer: registryBearerOf(bearer), grants: null, mayList: bearer.token.resource === null };
  }
  const claims = await parts.tokens.verify(token);
  if (!claims) throw challenge(parts, { error: 'invalid_token' });
  const { grants, mayList, accessToken, deployer } = claims;
  if (accessToken === null && deployer === null) return { bearer: null, grants, mayList };
  const bearer =
    accessToken === null ? await readDeployer(db, deployer) : await readBearerById(db, accessToken);
  if (!bearer) throw challenge(parts, { error: 'invalid_token' });
  return { bearer, grants, mayList };
}

async function readBearerById(db: Kysely<Database>, id: string): Promise<RegistryBearer | null> {
  const bearer = await readTokenById(db, id);
  return bearer && registryBearerOf(bearer);
}

/** The workspace whose deployment it is; what it may do is said by its grants. Null for one that is gone. */
export async function readDeployer(db: Kysely<Database>, id: string | null): Promise<RegistryBearer | null> {
  if (id === null) return null;
  const workspace = await readOwner(db, id);
  const token = { id: null, name: null, scope: 'write', resource: null } as const;
  return workspace ? { workspace, person: null, counted: id, token } : null;
}

/** Whether a token that may be bound to one thing opens a repository. */
function opens(resource: TokenResource | null, repository: Repository | undefined): boolean {
  return resource === null || (resource.kind === 'repository' && resource.id === repository?.id);
}

/**
 * What someone may do with an image of the mirrored registry: whoever is known here may pull it, but for tokens that are
 * bound to one thing. Undefined for all other names.
 */
export function mirrorActions(
  { mirror }: Pick<RegistryParts, 'mirror'>,
  bearer: RegistryBearer | null,
  name: string,
): Action[] | undefined {
  if (!mirror || mirroredName(name) === undefined) return undefined;
  return bearer && bearer.token.resource === null ? ['pull'] : [];
}

/** What someone may do in a repository now; by its name alone where it does not exist yet. */
export function allowedActions(
  bearer: RegistryBearer | null,
  name: string,
  repository: Repository | undefined,
): Action[] {
  if (bearer && opens(bearer.token.resource, repository) && isInNamespace(name, bearer.workspace.handle)) {
    return actionsOf(bearer.token.scope);
  }
  return repository?.isPublic ? ['pull'] : [];
}

/** Whether a token was given for that; one that was given for nothing in particular narrows nothing. */
export function isGranted(grants: RegistryCaller['grants'], name: string, action: Action): boolean {
  return grants === null || grants.some((grant) => grant.name === name && grant.actions.includes(action));
}

/** Whether a blob may be mounted from a repository: exactly where it may be pulled from. */
export function mayPull(caller: RegistryCaller, repository: Repository): boolean {
  const { name } = repository;
  return (
    allowedActions(caller.bearer, name, repository).includes('pull') && isGranted(caller.grants, name, 'pull')
  );
}

/**
 * The repository, or undefined for one of the caller's own that does not exist yet. Throws what a repository that is
 * not there gets for one that is somebody else's and private.
 */
export async function authorize(
  parts: RegistryParts,
  caller: RegistryCaller,
  { name, action }: { name: string; action: Action },
): Promise<Repository | undefined> {
  const repository = await findRepository(parts.deps.db, name);
  if (allowedActions(caller.bearer, name, repository).includes(action)) {
    if (isGranted(caller.grants, name, action)) return repository;
    throw challenge(parts, { name, action, error: 'insufficient_scope' });
  }
  if (!caller.bearer) throw challenge(parts, { name, action });
  if (action === 'pull') throw nameUnknown(name);
  throw denied(
    isInNamespace(name, caller.bearer.workspace.handle)
      ? 'This access token can only pull.'
      : `You can only push to names that start with ${caller.bearer.workspace.handle}/.`,
  );
}
