import type { FastifyRequest } from 'fastify';
import { forbidden, Refusal } from '../../core/errors.ts';
import type { TokenBearer } from '../auth/access-tokens.ts';
import { admitGuess, readBasic, readBearer, whyRefused } from '../auth/token-login.ts';
import type { GitParts } from './git-pushes.ts';

/** Who uses a repository. */
export type Pusher = Pick<TokenBearer, 'user'>;

/** 401, on which git asks for a name and a password. */
export class Unauthorized extends Refusal {
  constructor(message: string) {
    super({ code: 'UNAUTHORIZED', reason: 'UNAUTHORIZED', message });
  }
}

/** Who shows an access token. Throws 401, or 403 for a token that only reads where something is to be written. */
export async function logIn(
  parts: Pick<GitParts, 'db' | 'settings'>,
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
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
  return { user: bearer.user };
}
