import type { AppRouter } from '@nephos/contracts';
import type { Contract, Row } from '@nephos/contracts/kit';
import { callTRPCProcedure } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context, Deps } from '../context.ts';
import { notFound, Refusal } from '../errors.ts';
import { createContext } from './caller.ts';
import { sendError } from './error-answers.ts';
import { acceptLargeJson } from './json-body.ts';
import { SMALL } from './large-bodies.ts';
import { isStorable } from './plain-json.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** JSON types of an input's members, by name. */
type MemberTypes = ReadonlyMap<string, unknown>;

function memberTypes(input: z.ZodType): MemberTypes {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return new Map(
    Object.entries(properties).map(([name, member]) => [name, typeof member === 'object' && member.type]),
  );
}

/** Reads a query string's text as the type its schema names; anything else is left for validation to refuse. */
function unspell(text: unknown, type: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(text)) return Number(text);
  return text;
}

function inputOf(request: FastifyRequest, row: Row, types: MemberTypes): unknown {
  const { body } = request;
  const params = request.params as Record<string, string>;
  if (!Object.values(params).every(isStorable)) throw notFound();
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) return body;
  const query = Object.entries(request.query as Record<string, unknown>).map(
    ([name, value]) => [name, unspell(value, types.get(name))] as const,
  );
  const input = { ...Object.fromEntries(query), ...body, ...params };
  return row.input instanceof z.ZodVoid ? undefined : input;
}

function methodNotAllowed(): Refusal {
  return new Refusal({
    code: 'METHOD_NOT_SUPPORTED',
    reason: 'METHOD_NOT_ALLOWED',
    message: 'This address does not take that method.',
  });
}

/** A row's `POST /api/x/{id}` as Fastify writes it. */
export function fastifyRoute({ route = '' }: { route?: string | undefined }): {
  method: string;
  url: string;
} {
  const [method = '', path = ''] = route.split(' ');
  return { method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') };
}

/** Calls a row's procedure with a request's input, and sets the status and type that its answer will have. */
export function createRestCall(deps: Deps, router: AppRouter, path: string, row: Row) {
  const types = memberTypes(row.input);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<{ ctx: Context; output: unknown }> => {
    reply.code(row.status);
    const ctx: Context = {
      ...(await createContext(deps, request, reply)),
      foundExisting: () => {
        reply.code(200);
      },
    };
    const output = await callTRPCProcedure({
      router,
      path,
      type: row.kind,
      ctx,
      getRawInput: async () => inputOf(request, row, types),
      signal: undefined,
      batchIndex: 0,
    });
    reply.type('application/json; charset=utf-8');
    return { ctx, output };
  };
}

function addRow(app: FastifyInstance, deps: Deps, router: AppRouter, path: string, row: Row): void {
  const call = createRestCall(deps, router, path, row);
  app.route({
    ...fastifyRoute(row),
    bodyLimit: row.bodyLimit,
    compress: row.secret ? false : {},
    handler: async (request, reply) => {
      const { output } = await call(request, reply);
      // `null` is a documented answer ("none"), which Fastify would send as an empty body.
      return output === null ? 'null' : output;
    },
  });
}

/**
 * Registers one route for each row of the contract that has a REST address, and 405 for its other methods. Rows with a
 * route of their own are left to their domain.
 */
export function addRestRoutes(app: FastifyInstance, deps: Deps, contract: Contract, router: AppRouter): void {
  const methodsOf = new Map<string, Set<string>>();
  for (const [domain, table] of Object.entries(contract)) {
    for (const [name, row] of Object.entries(table)) {
      if (!row.route) continue;
      const add = (scope: FastifyInstance) => addRow(scope, deps, router, `${domain}.${name}`, row);
      if (!row.ownRoute && row.bodyLimit <= SMALL) add(app);
      if (!row.ownRoute && row.bodyLimit > SMALL) {
        app.register(async (scope) => {
          acceptLargeJson(scope);
          add(scope);
        });
      }
      const { method, url } = fastifyRoute(row);
      methodsOf.set(url, (methodsOf.get(url) ?? new Set()).add(method));
    }
  }
  for (const [url, methods] of methodsOf) {
    const allow = [...methods].join(', ');
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => sendError(request, reply.header('allow', allow), methodNotAllowed()),
    });
  }
}
