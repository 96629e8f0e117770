import type { FastifyRequest } from 'fastify';
import type { Owner } from '../../core/context.ts';
import { forbidden, notFound, Refusal } from '../../core/errors.ts';
import { assertFactor } from '../../http/factor-guard.ts';
import { assertMay } from '../../http/workspace-guard.ts';
import type { Doer } from '../../platform/audit.ts';
import { admitGuess, readBasic, readBearer, whyRefused } from '../auth/token-login.ts';
import type { GitParts } from './git-pushes.ts';

/** For whom a repository is used. */
export interface Pusher {
  owner: Owner;
  /** Whose places and calls are counted: who does it, or of what a stop cut off, nobody but the workspace. */
  personId: string;
  by: Doer;
  /** The one project that a bound token opens; null for all. */
  projectId: string | null;
}

/** 401, on which git asks for a name and a password. */
export class Unauthorized extends Refusal {
  constructor(message: string) {
    super({ code: 'UNAUTHORIZED', reason: 'UNAUTHORIZED', message });
  }
}

/** Who shows an access token. Throws 401, or 403 for a token that only reads where something is to be written. */
export async function logIn(
  parts: Pick<GitParts, 'db' | 'settings'>,
  { headers, ip, id: requestId }: Pick<FastifyRequest, 'headers' | 'ip' | 'id'>,
  { writes }: { writes: boolean },
): Promise<Pusher> {
  const credentials = readBasic(headers.authorization);
  if (!credentials) throw new Unauthorized('Log in with your email address and an access token.');
  const guesses = await admitGuess(parts, { door: 'git-login', ip, account: credentials.account });
  const bearer = await readBearer(parts.db, credentials);
  if (!bearer) {
    await guesses.countWrong();
    throw new Unauthorized(whyRefused('Git', credentials));
  }
  if (writes && bearer.token.scope !== 'write')
    throw forbidden('READ_ONLY_TOKEN', 'This access token can only read. Push with one that can write.');
  const { user, workspace, token } = bearer;
  assertFactor(bearer);
  assertMay(workspace.role, writes ? 'build' : 'view');
  if (token.resource && token.resource.kind !== 'project')
    throw notFound('NOT_FOUND', 'There is no such project.');
  const by: Doer = {
    ...{ actor: { id: user.id, email: user.email }, via: 'token', tokenName: token.name, ip, requestId },
  };
  return { owner: workspace, personId: user.id, by, projectId: token.resource?.id ?? null };
}
