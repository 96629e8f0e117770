import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Identify } from '../../http/caller.ts';
import { readToken } from './access-tokens.ts';
import type { Sessions } from './sessions.ts';

/** The token of `Authorization: Bearer <token>` (RFC 6750 §2.1); undefined for any other header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.match(/^Bearer +([^ ]+)$/i)?.[1];
}

/**
 * Says who somebody is. Who shows a token is its bearer or nobody: a cookie beside it must not step in for one that has
 * ended.
 */
export function createIdentify({ db, sessions }: { db: Kysely<Database>; sessions: Sessions }): Identify {
  return async ({ authorization, cookie, workspace: asked }) => {
    const token = bearerOf(authorization);
    if (token !== undefined) {
      const bearer = await readToken(db, token);
      const isElsewhere = asked !== undefined && asked !== bearer?.workspace.id;
      return {
        user: bearer?.user ?? null,
        sessionId: null,
        tokenScope: bearer?.token.scope ?? null,
        tokenName: bearer?.token.name ?? null,
        tokenResource: bearer?.token.resource ?? null,
        isProven: false,
        factorDemandedBy: bearer?.factorDemandedBy ?? null,
        workspace: isElsewhere ? null : (bearer?.workspace ?? null),
      };
    }
    const session = await sessions.read(cookie, asked);
    return {
      user: session?.user ?? null,
      sessionId: session?.sessionId ?? null,
      tokenScope: null,
      tokenName: null,
      workspace: session?.workspace ?? null,
      impersonator: session?.impersonator ?? null,
      isProven: session?.isProven ?? false,
      factorDemandedBy: session?.factorDemandedBy ?? null,
      setCookie: session?.setCookie,
    };
  };
}
