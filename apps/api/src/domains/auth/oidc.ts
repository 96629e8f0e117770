import * as client from 'openid-client';
import { isLoopbackHost } from '../../core/env.ts';
import { forbidden, invalid, type Refusal, unavailable } from '../../core/errors.ts';
import { DEFAULT_OIDC, type OidcSettings, SettingError } from '../../core/settings.ts';

/** What ties a provider's answer to the browser that asked. */
export interface OidcChecks {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  verifier: string;
}

/** Who someone is at the provider. */
export interface OidcIdentity {
  issuer: string;
  subject: string;
  /** Only where the provider has verified it. */
  email: string | undefined;
  firstName: string | undefined;
  lastName: string | undefined;
  /** Those that have roles here; undefined where the provider did not say. */
  groups: readonly string[] | undefined;
  /** As the provider says it, hence not to be trusted. */
  pictureUrl: string | undefined;
}

/** An OpenID Connect provider. Both throw refusals: 503 while it cannot be reached. */
export interface OidcProvider {
  /**
   * Where to send the browser, and what to hold its return against. `again`: whoever is logged in there has to prove it
   * anew.
   */
  begin(again: boolean): Promise<{ url: URL; checks: OidcChecks }>;
  /** Redeems the provider's answer, which `address` carries. */
  finish(address: URL, checks: OidcChecks & { again: boolean }): Promise<OidcIdentity>;
}

const TIMEOUT_SECONDS = 5;
/** A proof that was asked for anew is no older than this when the browser is back. */
const PROOF_SECONDS = 600;

/** Errors by which the provider, not the answer we were brought, is at fault. */
const PROVIDER_FAULTS = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

function refusalOf(error: unknown, name: string): Refusal {
  if (error instanceof client.AuthorizationResponseError) {
    return forbidden(
      'LOGIN_REFUSED',
      `${name} could not confirm your identity. Try again, or log in another way.`,
    );
  }
  const unusable =
    (error instanceof client.ClientError && !PROVIDER_FAULTS.has(error.code ?? '')) ||
    (error instanceof client.ResponseBodyError && error.status < 500 && error.error === 'invalid_grant');
  if (unusable) return invalid(`Login with ${name} failed. Try again.`);
  return unavailable(`${name} is unavailable right now. Try again later, or log in another way.`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * Somebody's groups that have roles here. A provider leaves the claim out for who is in none, and for who is in too many
 * to list, where it names another place for it (OpenID Connect Core §5.6.2): then it has not said.
 */
function groupsIn(
  claims: client.IDToken | client.UserInfoResponse,
  { groupsClaim, groups }: Pick<OidcSettings, 'groupsClaim' | 'groups'>,
): string[] | undefined {
  const named = claims[groupsClaim];
  const elsewhere: unknown = claims._claim_names;
  if (named === undefined && typeof elsewhere === 'object' && elsewhere && groupsClaim in elsewhere) {
    return undefined;
  }
  const list: unknown[] = Array.isArray(named) ? named : [named];
  return Object.keys(groups).filter((group) => list.includes(group));
}

function identityOf(
  issuer: string,
  claims: client.IDToken | client.UserInfoResponse,
  named: Pick<OidcSettings, 'groupsClaim' | 'groups'>,
): OidcIdentity {
  return {
    issuer,
    subject: claims.sub,
    email: claims.email_verified === true ? textOf(claims.email) : undefined,
    firstName: textOf(claims.given_name) ?? textOf(claims.name),
    lastName: textOf(claims.family_name),
    groups: groupsIn(claims, named),
    pictureUrl: textOf(claims.picture),
  };
}

/**
 * A configured provider; its metadata is fetched at first use and kept. Throws `SettingError` for an issuer by plain
 * http anywhere but on this machine.
 */
export function createOidcProvider(
  { id, issuer, clientId, clientSecret, name, scope, groupsClaim, groups }: OidcSettings,
  { redirectUri, onFailure }: { redirectUri: string; onFailure: (reason: string, cause: string) => void },
): OidcProvider {
  const server = new URL(issuer);
  const insecure = server.protocol === 'http:';
  if (insecure && !isLoopbackHost(server.hostname)) {
    const setting = id === DEFAULT_OIDC ? 'OIDC_ISSUER' : `OIDC_PROVIDERS: the issuer of ${id}`;
    throw new SettingError(`${setting} must be an https address unless it is on this machine`);
  }
  let known: client.Configuration | undefined;

  async function discover(): Promise<client.Configuration> {
    known ??= await client.discovery(server, clientId, undefined, client.ClientSecretBasic(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      ...(insecure && { execute: [client.allowInsecureRequests] }),
    });
    return known;
  }

  async function withProvider<T>(work: (config: client.Configuration) => Promise<T>): Promise<T> {
    try {
      return await work(await discover());
    } catch (error) {
      // The error itself holds whole answers of the provider, tokens included.
      onFailure(String(error), error instanceof Error ? String(error.cause ?? '') : '');
      throw refusalOf(error, name);
    }
  }

  return {
    begin: (again) =>
      withProvider(async (config) => {
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
          ...(again && { prompt: 'login', max_age: '0' }),
        });
        return { url, checks };
      }),

    finish: (address, { state, nonce, verifier, again }) =>
      withProvider(async (config) => {
        const tokens = await client.authorizationCodeGrant(config, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(again && { maxAge: PROOF_SECONDS }),
        });
        const claims = tokens.claims();
        if (!claims) throw new client.ClientError('no ID token');
        const named = { groupsClaim, groups };
        const hasGroups = Object.keys(groups).length === 0 || claims[groupsClaim] !== undefined;
        const isWhole = claims.email !== undefined && hasGroups;
        if (isWhole || !config.serverMetadata().userinfo_endpoint) {
          return identityOf(claims.iss, claims, named);
        }
        const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        return identityOf(claims.iss, { ...claims, ...more }, named);
      }),
  };
}
