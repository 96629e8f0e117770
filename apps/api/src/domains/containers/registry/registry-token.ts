import type { TokenScope } from '@nephos/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { databaseNow } from '../../../platform/database-clock.ts';
import type { Platform } from '../../../platform/platform.ts';

export type Action = 'pull' | 'push' | 'delete';

/** What a token allows in one repository. */
export interface Grant {
  name: string;
  actions: Action[];
}

/** What a short-lived token of the registry carries. */
export interface RegistryClaims {
  /** Id of the access token in whose name it was given; null for anyone's. */
  accessToken: string | null;
  grants: Grant[];
  /** Whether it was given for the catalogue. */
  mayList: boolean;
}

/** Gives and reads the tokens that clients show on `/v2/`. */
export interface RegistryTokens {
  /** Name of the registry in challenges: its host. */
  service: string;
  issue(claims: RegistryClaims): Promise<{ token: string; issuedAt: Date }>;
  /** Null for whatever this registry has not given, or no longer stands by. */
  verify(token: string): Promise<RegistryClaims | null>;
}

/** Seconds; the token spec asks for at least 60. */
export const TOKEN_SECONDS = 300;

const ALGORITHM = 'HS256';
const HEADER = { alg: ALGORITHM, typ: 'JWT' } as const;

const CATALOGUE = { type: 'registry', name: 'catalog', actions: ['*'] } as const;

const Claims = z.object({
  token: z.uuid().nullable(),
  access: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('repository'),
        name: z.string(),
        actions: z.array(z.enum(['pull', 'push', 'delete'])),
      }),
      z.object({ type: z.literal('registry'), name: z.literal('catalog') }),
    ]),
  ),
});

/**
 * JSON Web Tokens as the Docker token specification has them, signed by a key of this installation. Only our own
 * header is taken, so that no key and no algorithm that a token brings along is ever looked at. They begin and end by
 * the database's clock, so that all replicas agree.
 */
export function createRegistryTokens({
  db,
  secrets,
  settings: { publicUrl },
}: Pick<Platform, 'db' | 'secrets' | 'settings'>): RegistryTokens {
  const key = secrets.deriveKey('registry tokens');
  const service = publicUrl.host;
  const issuer = publicUrl.origin;
  return {
    service,
    async issue({ accessToken, grants, mayList }) {
      const issuedAt = await databaseNow(db);
      const seconds = Math.floor(issuedAt.getTime() / 1000);
      const token = await new SignJWT({
        token: accessToken,
        access: [
          ...grants.map((grant) => ({ type: 'repository', ...grant })),
          ...(mayList ? [CATALOGUE] : []),
        ],
      })
        .setProtectedHeader(HEADER)
        .setIssuer(issuer)
        .setAudience(service)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + TOKEN_SECONDS)
        .sign(key);
      return { token, issuedAt };
    },

    async verify(token) {
      const currentDate = await databaseNow(db);
      try {
        const { payload, protectedHeader } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          typ: 'JWT',
          issuer,
          audience: service,
          requiredClaims: ['exp', 'iat'],
          currentDate,
        });
        if (Object.keys(protectedHeader).length !== Object.keys(HEADER).length) return null;
        const claims = Claims.parse(payload);
        return {
          accessToken: claims.token,
          grants: claims.access.filter((access) => access.type === 'repository'),
          mayList: claims.access.some((access) => access.type === 'registry'),
        };
      } catch {
        return null;
      }
    },
  };
}

/** What an access token of this scope lets its bearer do in their own namespace. */
export function actionsOf(scope: TokenScope): Action[] {
  return scope === 'write' ? ['pull', 'push', 'delete'] : ['pull'];
}
