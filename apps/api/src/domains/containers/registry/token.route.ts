import { REPOSITORY_NAME, REPOSITORY_NAME_MAX } from '@nephos/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { utf8Form } from '../../../http/utf8.ts';
import {
  admitGuess,
  readBasic,
  readBearer,
  type TokenCredentials,
  whyRefused,
} from '../../auth/token-login.ts';
import {
  allowedActions,
  countRegistryCall,
  isGranted,
  mirrorActions,
  type RegistryBearer,
  type RegistryParts,
  readDeployer,
  registryBearerOf,
} from './access.ts';
import { readWholeBody } from './read-body.ts';
import { badRequest, RegistryError } from './registry-error.ts';
import { type Action, type Grant, TOKEN_SECONDS } from './registry-token.ts';
import { findRepository } from './repositories.ts';

const FORM_MAX = 16 * 1024;
const SCOPES_MAX = 20;

const ACTIONS: readonly Action[] = ['pull', 'push', 'delete'];

function refused(message: string): RegistryError {
  return new RegistryError({ status: 401, code: 'UNAUTHORIZED', message });
}

function readPasswordGrant(form: URLSearchParams): TokenCredentials | undefined {
  const grantType = form.get('grant_type');
  if (grantType === null) return undefined;
  if (grantType !== 'password') throw badRequest('UNSUPPORTED', 'Only the password grant type is supported.');
  return { account: form.get('username') ?? '', secret: form.get('password') ?? '' };
}

/** Who logged in, and what that is good for at most: null for whatever is theirs. */
interface LoggedIn {
  bearer: RegistryBearer | null;
  grants: readonly Grant[] | null;
}

async function logIn(
  { deps, tokens }: RegistryParts,
  ip: string,
  credentials: TokenCredentials,
): Promise<LoggedIn> {
  const guesses = await admitGuess(deps, { door: 'registry-login', ip, account: credentials.account });
  const bearer = await readBearer(deps.db, credentials);
  if (bearer) return { bearer: registryBearerOf(bearer), grants: null };
  const login = await tokens.verifyLogin(credentials.secret);
  const deployer = login && (await readDeployer(deps.db, login.deployer));
  if (deployer && deployer.workspace.handle === credentials.account)
    return { bearer: deployer, grants: login.grants };
  await guesses.countWrong();
  throw refused(whyRefused('The registry', credentials));
}

/** Reads `repository:<name>:<action>,<action>`; anything else asks for nothing that we have. */
function readScope(scope: string): Grant | undefined {
  const [, name = '', asked = ''] = /^repository(?:\([a-z0-9]+\))?:([^:]+):([a-z*,]+)$/.exec(scope) ?? [];
  if (name.length > REPOSITORY_NAME_MAX || !REPOSITORY_NAME.test(name)) return undefined;
  const words = asked.split(',');
  return { name, actions: ACTIONS.filter((action) => words.includes(action) || words.includes('*')) };
}

/** What is asked for and allowed; less than what was asked is no error (Docker token specification). */
async function grant(
  parts: RegistryParts,
  { bearer, grants: granted }: LoggedIn,
  scopes: readonly string[],
): Promise<Grant[]> {
  const { deps } = parts;
  const grants: Grant[] = [];
  for (const scope of scopes.slice(0, SCOPES_MAX)) {
    const asked = readScope(scope);
    if (!asked) continue;
    const allowed =
      mirrorActions(parts, bearer, asked.name) ??
      allowedActions(bearer, asked.name, await findRepository(deps.db, asked.name));
    const actions = asked.actions.filter(
      (action) => allowed.includes(action) && isGranted(granted, asked.name, action),
    );
    if (actions.length > 0) grants.push({ name: asked.name, actions });
  }
  return grants;
}

async function answer(
  parts: RegistryParts,
  { reply, loggedIn, parameters }: { reply: FastifyReply; loggedIn: LoggedIn; parameters: URLSearchParams },
): Promise<FastifyReply> {
  const service = parameters.get('service');
  if (service !== null && service !== parts.tokens.service) {
    throw badRequest('UNSUPPORTED', `Tokens are only issued for ${parts.tokens.service}.`);
  }
  const { bearer } = loggedIn;
  const scopes = parameters.getAll('scope').flatMap((scope) => scope.split(' '));
  const { token, issuedAt } = await parts.tokens.issue({
    accessToken: bearer?.token.id ?? null,
    deployer: bearer?.token.id === null ? bearer.workspace.id : null,
    grants: await grant(parts, loggedIn, scopes),
    mayList: loggedIn.grants === null && !bearer?.token.resource && scopes.includes('registry:catalog:*'),
  });
  return reply
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(
      JSON.stringify({
        token,
        access_token: token,
        expires_in: TOKEN_SECONDS,
        issued_at: issuedAt.toISOString(),
      }),
    );
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.raw.url?.split('?')[1]);
}

/** `/v2/token`: gives the short-lived tokens that `/v2/` asks for; without credentials, one for public images. */
export function addTokenRoutes(app: FastifyInstance, parts: RegistryParts): void {
  async function give(request: FastifyRequest, reply: FastifyReply, form?: URLSearchParams) {
    const { authorization } = request.headers;
    const credentials = readBasic(authorization) ?? (form && readPasswordGrant(form));
    if (!credentials && authorization !== undefined) throw refused('Log in with an access token.');
    const loggedIn = credentials
      ? await logIn(parts, request.ip, credentials)
      : { bearer: null, grants: null };
    await countRegistryCall(parts, loggedIn.bearer, { door: 'registry-token', ip: request.ip });
    return answer(parts, { reply, loggedIn, parameters: form ?? queryOf(request) });
  }

  app.get('/v2/token', { exposeHeadRoute: false }, (request, reply) => give(request, reply));
  app.post('/v2/token', { config: { anyBody: true, anyOrigin: true } }, async (request, reply) =>
    give(request, reply, new URLSearchParams(utf8Form(await readWholeBody(request, FORM_MAX)))),
  );
}
