import { type AppRouter, contract } from '@nephos/contracts';
import { MAX_BATCH, TRPC_PATH } from '@nephos/contracts/constants';
import type { Row, Table } from '@nephos/contracts/kit';
import { type FastifyTRPCPluginOptions, fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context, Deps } from '../context.ts';
import { createContext } from './caller.ts';
import { bodyTooLarge, refusalOf } from './describe-error.ts';
import { acceptLargeJson } from './json-body.ts';
import { SMALL } from './large-bodies.ts';
import { noteRefusal } from './refusal-log.ts';
import { utf8Text } from './utf8.ts';

const ROWS: ReadonlyMap<string, Row> = new Map(
  Object.entries<Table>(contract).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, row]) => [`${domain}.${name}`, row] as const),
  ),
);

/** The procedures that a path names, between commas; those that there are. */
function rowsOf(path: string): Row[] {
  return path.split(',').flatMap((name) => ROWS.get(name) ?? []);
}

/** Bytes that procedures may be sent together: a large one is called alone. */
function bodyLimitOf(rows: readonly Row[]): number {
  return Math.min(
    rows.reduce((sum, { bodyLimit }) => sum + bodyLimit, 0),
    SMALL,
  );
}

/** Whether an answer is one piece of JSON; else it is sent as it comes. */
function isWholeJson({ headers }: Response): boolean {
  return (
    headers.get('content-type')?.startsWith('application/json') === true && !headers.has('transfer-encoding')
  );
}

type TrpcOptions = FastifyTRPCPluginOptions<AppRouter>['trpcOptions'];
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A call whose body is parsed already. */
class ParsedRequest extends Request {
  override json: () => Promise<unknown>;

  constructor({ raw, headers, body }: FastifyRequest) {
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    // The body itself only says that there is one: tRPC asks for what is in it. Nothing asks for the host.
    super(new URL(raw.url ?? '', 'http://localhost'), { method: 'POST', headers: sent, body: '{}' });
    this.json = async () => body;
  }
}

/** Answers calls whose body is text, as tRPC's own plugin does. */
function createTextHandler(options: TrpcOptions): Handler {
  return async (req, res) => {
    const { path } = req.params as { path: string };
    await fastifyRequestHandler({ ...options, req, res, path });
  };
}

/** Answers calls whose body is parsed, so that tRPC does not parse megabytes at once. */
function createParsedHandler(deps: Deps, { router, responseMeta, onError }: TrpcOptions): Handler {
  return async (request, reply) =>
    reply.send(
      await fetchRequestHandler({
        endpoint: TRPC_PATH,
        req: new ParsedRequest(request),
        router,
        maxBatchSize: MAX_BATCH,
        createContext: () => contextOf(deps, request, reply),
        ...(responseMeta && { responseMeta }),
        onError: (event) => onError?.({ ...event, req: request }),
      }),
    );
}

async function contextOf(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Context> {
  try {
    return await createContext(deps, request, reply);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

/** Registers `/trpc` in scopes of its own, since its bodies are for tRPC to read. */
export async function addTrpcDoor(app: FastifyInstance, deps: Deps, router: AppRouter): Promise<void> {
  const options: TrpcOptions = {
    router,
    maxBatchSize: MAX_BATCH,
    createContext: ({ req, res }) => contextOf(deps, req, res),
    responseMeta: ({ errors }) => {
      const waits = errors.map((error) => refusalOf(error)?.retryAfter ?? 0);
      const retryAfter = Math.max(0, ...waits);
      return retryAfter > 0 ? { headers: { 'retry-after': String(retryAfter) } } : {};
    },
    onError: ({ error, path, req }) => {
      noteRefusal(req, error);
      if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') {
        req.log.error({ err: error.cause ?? error, procedure: path }, 'procedure failed');
      }
    },
  };
  await app.register(async (scope) => {
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => utf8Text(body),
    );
    scope.addHook('onRequest', async ({ params, headers }) => {
      const { path = '' } = params as { path?: string };
      const rows = rowsOf(path);
      if (Number(headers['content-length'] ?? 0) > bodyLimitOf(rows)) throw bodyTooLarge();
      // What shares an answer with a secret is not packed either.
      if (rows.some(({ secret }) => secret)) headers['x-no-compression'] = 'secret';
    });
    // As text, since only of that is it known whether it is worth packing.
    scope.addHook('onSend', async (_request, reply, payload) => {
      if (!(payload instanceof Response) || !isWholeJson(payload)) return payload;
      reply.code(payload.status).headers(Object.fromEntries(payload.headers));
      return payload.text();
    });
    // For bodies that do not say their length beforehand; the others are held to their own procedures' bound.
    scope.all(`${TRPC_PATH}/:path`, { bodyLimit: SMALL }, createTextHandler(options));
  });
  await app.register(async (scope) => {
    acceptLargeJson(scope);
    for (const [path, { bodyLimit }] of ROWS) {
      if (bodyLimit > SMALL)
        scope.post(`${TRPC_PATH}/${path}`, { bodyLimit }, createParsedHandler(deps, options));
    }
  });
}
