import type { TokenScope } from '@nephos/contracts';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
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
  /** Id of the access token in whose name it was given; null for anyone's, and for a deployment's. */
  accessToken: string | null;
  /** Id of the person whose deployment it was given to; null for all others. */
  deployer: string | null;
  grants: Grant[];
  /** Whether it was given for the catalogue. */
  mayList: boolean;
}

/** What logs a deployment in to our own registry, in the name of the project's owner. */
export type DeploymentLogin = { deployer: string; grants: Grant[] };

/** Gives and reads the tokens that clients show on `/v2/`. */
export interface RegistryTokens {
  /** Name of the registry in challenges: its host. */
  service: string;
  issue(claims: RegistryClaims): Promise<{ token: string; issuedAt: Date }>;
  /** Null for whatever this registry has not given, or no longer stands by. */
  verify(token: string): Promise<RegistryClaims | null>;
  /** A password for `/v2/token` that is good for these repositories and for as long as a pull or push may take. */
  issueLogin(login: DeploymentLogin): Promise<string>;
  verifyLogin(password: string): Promise<DeploymentLogin | null>;
}

/** Seconds; the token spec asks for at least 60. */
export const TOKEN_SECONDS = 300;
/** Of what logs a deployment in, at least: a pull may take as long as a build. */
const MIN_LOGIN_SECONDS = 3600;

const ALGORITHM = 'HS256';
const HEADER = { alg: ALGORITHM, typ: 'JWT' } as const;

const CATALOGUE = { type: 'registry', name: 'catalog', actions: ['*'] } as const;

const RepositoryAccess = z.object({
  type: z.literal('repository'),
  name: z.string(),
  actions: z.array(z.enum(['pull', 'push', 'delete'])),
});

const Claims = z.object({
  token: z.uuid().nullable(),
  deployer: z.uuid().nullable().default(null),
  access: z.array(
    z.discriminatedUnion('type', [
      RepositoryAccess,
      z.object({ type: z.literal('registry'), name: z.literal('catalog') }),
    ]),
  ),
});

const LoginClaims = z.object({ deployer: z.uuid(), access: z.array(RepositoryAccess) });

/**
 * JSON Web Tokens as the Docker token specification has them, signed by a key of this installation. Only our own
 * header is taken, so that no key and no algorithm that a token brings along is ever looked at. They begin and end by
 * the database's clock, so that all replicas agree.
 */
export function createRegistryTokens({
  db,
  secrets,
  settings: { publicUrl, builds },
}: Pick<Platform, 'db' | 'secrets' | 'settings'>): RegistryTokens {
  const key = secrets.deriveKey('registry tokens');
  const service = publicUrl.host;
  const issuer = publicUrl.origin;
  const logins = `${service} deployments`;
  const loginSeconds = Math.max(MIN_LOGIN_SECONDS, builds.minutes * 60 + TOKEN_SECONDS);

  async function sign(payload: JWTPayload, audience: string, seconds: number) {
    const issuedAt = await databaseNow(db);
    const now = Math.floor(issuedAt.getTime() / 1000);
    const token = await new SignJWT(payload)
      .setProtectedHeader(HEADER)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(key);
    return { token, issuedAt };
  }

  async function read<T>(token: string, audience: string, claims: z.ZodType<T>): Promise<T | null> {
    const currentDate = await databaseNow(db);
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: 'JWT',
        issuer,
        audience,
        requiredClaims: ['exp', 'iat'],
        currentDate,
      });
      return Object.keys(protectedHeader).length === Object.keys(HEADER).length
        ? claims.parse(payload)
        : null;
    } catch {
      return null;
    }
  }

  return {
    service,
    issue: ({ accessToken, deployer, grants, mayList }) =>
      sign(
        {
          token: accessToken,
          deployer,
          access: [...grants.map(accessOf), ...(mayList ? [CATALOGUE] : [])],
        },
        service,
        TOKEN_SECONDS,
      ),

    async verify(token) {
      const claims = await read(token, service, Claims);
      return (
        claims && {
          accessToken: claims.token,
          deployer: claims.deployer,
          grants: claims.access.filter((access) => access.type === 'repository'),
          mayList: claims.access.some((access) => access.type === 'registry'),
        }
      );
    },

    async issueLogin({ deployer, grants }) {
      const { token } = await sign({ deployer, access: grants.map(accessOf) }, logins, loginSeconds);
      return token;
    },

    async verifyLogin(password) {
      const claims = await read(password, logins, LoginClaims);
      return claims && { deployer: claims.deployer, grants: claims.access };
    },
  };
}

function accessOf(grant: Grant) {
  return { type: 'repository', ...grant };
}

/** What an access token of this scope lets its bearer do in their own namespace. */
export function actionsOf(scope: TokenScope): Action[] {
  return scope === 'write' ? ['pull', 'push', 'delete'] : ['pull'];
}
