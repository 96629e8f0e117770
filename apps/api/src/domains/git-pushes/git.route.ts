import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound, unsupportedMediaType } from '../../core/errors.ts';
import { describeError } from '../../http/describe-error.ts';
import { leaveBodies } from '../../http/raw-body.ts';
import { noteRefusal } from '../../http/refusal-log.ts';
import { countCall } from '../../platform/rate-limit.ts';
import type { GitAnswer, GitRequest } from '../deployments/engine/engine.ts';
import { logIn, type Pusher, Unauthorized } from './access.ts';
import { answerPush } from './answer-push.ts';
import type { GitParts } from './git-pushes.ts';
import { type OpenedFor, openFor } from './open-for.ts';

/** Requests of one person in a minute; a push is two or three. */
const PER_MINUTE = 120;

type Service = GitRequest['service'];

const SERVICES: readonly Service[] = ['git-upload-pack', 'git-receive-pack'];

/** The headers of git's answers that are ours to hand on; the others are about a connection that is not there. */
const HANDED_ON = ['content-type', 'cache-control', 'expires', 'pragma'];

/**
 * `/git/<project>.git`: git's smart HTTP protocol (gitprotocol-http(5)), signed in by HTTP Basic with an access token.
 * Members of its workspace alone can fetch, and those of them who may build, push.
 */
export function addGitRoutes(app: FastifyInstance, parts: GitParts): void {
  leaveBodies(app);
  app.setErrorHandler(sendPlainError);
  const config = { anyBody: true, anyOrigin: true };
  app.get<{ Params: { name: string }; Querystring: { service?: string } }>(
    '/git/:name/info/refs',
    { exposeHeadRoute: false, config },
    async (request, reply) => {
      const service = serviceOf(request.query.service);
      const { opened } = await enter(parts, request, service);
      return answer(reply, opened, requestOf(request, service, { advertises: true }));
    },
  );
  for (const service of SERVICES) {
    app.post<{ Params: { name: string } }>(`/git/:name/${service}`, { config }, async (request, reply) => {
      // A page of another site cannot send this type without asking first.
      if (request.headers['content-type'] !== `application/x-${service}-request`)
        throw unsupportedMediaType(`Send the body as application/x-${service}-request.`);
      const { pusher, opened } = await enter(parts, request, service);
      const asked = requestOf(request, service, { advertises: false });
      if (service === 'git-upload-pack') return answer(reply, opened, asked);
      const { status, headers, body } = await answerPush(parts, opened, { pusher, request: asked });
      return send(reply, { status, headers }, body);
    });
  }
}

function serviceOf(text: unknown): Service {
  const service = SERVICES.find((known) => known === text);
  if (!service) throw notFound('NOT_FOUND', 'Use a Git client that speaks the smart HTTP protocol.');
  return service;
}

function requestOf(
  { raw, headers }: FastifyRequest,
  service: Service,
  { advertises }: Pick<GitRequest, 'advertises'>,
): GitRequest {
  return {
    ...{ service, advertises },
    protocol: String(headers['git-protocol'] ?? ''),
    contentEncoding: headers['content-encoding'] ?? '',
    body: raw,
  };
}

/** Who it is, and the repository open for them. */
async function enter(
  parts: GitParts,
  request: FastifyRequest,
  service: Service,
): Promise<{ pusher: Pusher; opened: OpenedFor }> {
  const pusher = await logIn(parts, request, { writes: service === 'git-receive-pack' });
  await countCall(parts, { key: `git:${pusher.personId}`, calls: PER_MINUTE, seconds: 60 });
  // Its type is said by the route.
  const { name } = request.params as { name: string };
  const opened = await openFor(parts, pusher, { name, service });
  return { pusher, opened };
}

/** Sends git's answer as it comes; the repository is closed behind it, also where nobody comes to read it. */
async function answer(reply: FastifyReply, opened: OpenedFor, request: GitRequest): Promise<FastifyReply> {
  try {
    const given = await opened.repository.answer(request);
    const body = Readable.from(given.body, { objectMode: false });
    body.once('close', () => void opened.close());
    return send(reply, given, body);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function send(
  reply: FastifyReply,
  { status, headers }: Pick<GitAnswer, 'status' | 'headers'>,
  body: Readable,
): FastifyReply {
  for (const name of HANDED_ON) if (headers[name] !== undefined) reply.header(name, headers[name]);
  // Some proxies would gather a build's log before they hand it on.
  return reply.code(status).header('x-accel-buffering', 'no').send(body);
}

/** git shows a body of plain text beside what it says itself. */
function sendPlainError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Unauthorized)
    reply.header('www-authenticate', 'Basic realm="Nephos", charset="UTF-8"');
  const { status, message, retryAfter } = describeError(error);
  if (status === 500) request.log.error({ err: error }, 'request failed');
  noteRefusal(request, error);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  reply.removeHeader('connection');
  return reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`);
}
