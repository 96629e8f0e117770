import type { AppRouter } from '@nephos/contracts';
import type { BytesAnswer, Contract, Row } from '@nephos/contracts/kit';
import { type AnyRouter, callTRPCProcedure } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound, Refusal } from '../core/errors.ts';
import { sendBytes } from './bytes.ts';
import { type Identify, nobody, readCaller, WORKSPACE_HEADER } from './caller.ts';
import { sendError } from './error-answers.ts';
import { acceptLargeJson } from './json-body.ts';
import { SMALL } from './large-bodies.ts';
import { isStorable } from './plain-json.ts';
import { leaveBodies } from './raw-body.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** JSON types of an input's members, by name. */
type MemberTypes = ReadonlyMap<string, unknown>;

function memberTypes(input: z.ZodType): MemberTypes {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return new Map(
    Object.entries(properties).map(([name, member]) => [name, typeof member === 'object' && member.type]),
  );
}

/** Reads an address's text as the type its schema names; anything else is left for validation to refuse. */
function unspell(text: unknown, type: unknown): unknown {
  if (typeof text !== 'string') return text;
  // A name is there as often as the list is long.
  if (type === 'array') return [text];
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(text)) return Number(text);
  return text;
}

function inputOf(request: FastifyRequest, row: Row, types: MemberTypes): unknown {
  const { body } = request;
  const params: object = request.params ?? {};
  if (!Object.values(params).every(isStorable)) throw notFound();
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) return body;
  const read = (texts: object) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, value]) => [name, unspell(value, types.get(name))] as const),
    );
  const input = { ...read(request.query ?? {}), ...body, ...read(params) };
  return row.input instanceof z.ZodVoid ? undefined : input;
}

function methodNotAllowed(): Refusal {
  return new Refusal({
    code: 'METHOD_NOT_SUPPORTED',
    reason: 'METHOD_NOT_ALLOWED',
    message: "This method isn't supported here.",
  });
}

/** A row's `POST /api/x/{id}` as Fastify writes it. What gives bytes answers a question for their head itself. */
function fastifyRoute({ route, gives }: Row): { method: string[]; url: string } {
  const [method = '', path = ''] = (route ?? '').split(' ');
  return {
    method: method === 'GET' && gives ? ['GET', 'HEAD'] : [method],
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
  };
}

/** What REST calls procedures with. */
export interface RestParts {
  router: AppRouter;
  bytes: AnyRouter;
  identify: Identify;
}

/** Aborts when an answer is over. That of the request would at once, as soon as its body is read. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

/** The workspace that the address of bytes names: what a link or a picture asks for cannot send the header. */
function workspaceOf({ headers, query }: FastifyRequest, { gives }: Row): string | undefined {
  if (!gives || headers[WORKSPACE_HEADER] !== undefined) return undefined;
  const { workspace } = query as { workspace?: unknown };
  return typeof workspace === 'string' ? workspace : undefined;
}

/** Calls a row's procedure with a request's input, and sets the status that its answer will have. */
function createRestCall({ router, bytes, identify }: RestParts, path: string, row: Row) {
  const types = memberTypes(row.input);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    reply.code(row.status);
    // Listened to before anything is waited for, since who leaves meanwhile says so once.
    const signal = row.kind === 'bytes' ? signalOf(reply) : undefined;
    const caller = row.anonymous ? nobody : identify;
    const ctx = await readCaller(caller, request, reply, workspaceOf(request, row));
    const given = { path, ctx, getRawInput: async () => inputOf(request, row, types), batchIndex: 0 };
    if (row.kind !== 'bytes') {
      return callTRPCProcedure({ ...given, router, type: row.kind, signal });
    }
    return callTRPCProcedure({ ...given, router: bytes, type: 'mutation', signal });
  };
}

function addRow(app: FastifyInstance, parts: RestParts, path: string, row: Row): void {
  const call = createRestCall(parts, path, row);
  app.route({
    ...fastifyRoute(row),
    bodyLimit: row.bodyLimit,
    config: { anyBody: row.takes !== undefined },
    ...(!row.gives && { compress: row.secret ? false : {} }),
    handler: async (request, reply) => {
      const output = await call(request, reply);
      // The row's own schema types what its handler answers.
      if (row.gives) return sendBytes(request, reply, output as BytesAnswer);
      reply.type('application/json; charset=utf-8');
      // `null` is a documented answer ("none"), which Fastify would send as an empty body.
      return output === null ? 'null' : output;
    },
  });
}

/** Registers one route for each row of the contract that has a REST address, and 405 for its other methods. */
export function addRestRoutes(app: FastifyInstance, parts: RestParts, contract: Contract): void {
  const methodsOf = new Map<string, Set<string>>();
  for (const [domain, table] of Object.entries(contract)) {
    for (const [name, row] of Object.entries(table)) {
      if (!row.route) continue;
      const add = (scope: FastifyInstance) => addRow(scope, parts, `${domain}.${name}`, row);
      const readBodies = row.takes ? leaveBodies : row.bodyLimit > SMALL ? acceptLargeJson : undefined;
      if (!readBodies) add(app);
      else {
        app.register(async (scope) => {
          readBodies(scope);
          add(scope);
        });
      }
      const { method, url } = fastifyRoute(row);
      methodsOf.set(url, new Set([...(methodsOf.get(url) ?? []), ...method]));
    }
  }
  for (const [url, methods] of methodsOf) {
    const allow = [...methods].filter((method) => method !== 'HEAD').join(', ');
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => sendError(request, reply.header('allow', allow), methodNotAllowed()),
    });
  }
}
