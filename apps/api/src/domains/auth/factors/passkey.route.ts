import { PasskeyLogin } from '@nephos/contracts';
import type { FastifyInstance } from 'fastify';
import { sendError } from '../../../http/error-answers.ts';
import type { AuthParts } from '../auth.ts';
import { clientOf } from '../login-answers.ts';
import { inputOf } from '../login-form.ts';
import { countVisit } from '../login-limits.ts';
import { welcome } from '../welcome.ts';
import { askForPasskey } from './assertions.ts';
import type { HalfLogins } from './half-login.ts';
import { logInByPasskey } from './passkey-login.ts';

/** `/api/login/passkey`: what a passkey is to sign, and the log-in by it; JSON alone, since it takes a script. */
export function addPasskeyRoutes(app: FastifyInstance, deps: AuthParts, halves: HalfLogins): void {
  const errorHandler: Parameters<FastifyInstance['setErrorHandler']>[0] = (error, request, reply) =>
    sendError(request, reply, error);

  app.post('/api/login/passkey/options', { errorHandler }, async (request) => {
    await countVisit(deps, request.ip);
    const half = halves.read(request.headers.cookie);
    return askForPasskey(deps.db, deps, { purpose: 'login', userId: half?.userId ?? null });
  });

  app.post('/api/login/passkey', { errorHandler }, async (request, reply) => {
    await countVisit(deps, request.ip);
    const { response } = inputOf(PasskeyLogin, request);
    const half = halves.read(request.headers.cookie);
    const entry = await logInByPasskey(deps, { half, response }, clientOf(request));
    reply.header('set-cookie', halves.end());
    return welcome(deps, request, reply, { entry, status: 200 });
  });
}
