import { contract } from '@nephos/contracts';
import { MAX_BATCH, TRPC_PATH } from '@nephos/contracts/constants';
import type { Row, Table } from '@nephos/contracts/kit';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, type Identify, readCaller } from './caller.ts';
import { bodyTooLarge, refusalOf } from './describe-error.ts';
import { acceptLargeJson } from './json-body.ts';
import { SMALL } from './large-bodies.ts';
import { noteRefusal } from './refusal-log.ts';
import type { RestParts } from './rest.ts';
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

/** Whether a scope hands on the text of its bodies, or what is in them. */
type BodyKind = 'text' | 'parsed';

/** A call as tRPC reads one. A body that is parsed already is given as it is: tRPC would parse megabytes at once. */
function callOf(
  { raw, method, headers, body }: FastifyRequest,
  kind: BodyKind,
  signal: AbortSignal,
): Request {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  // The text only says that there is a body, where it is parsed already. Nothing asks for the host.
  const text = kind === 'parsed' ? '{}' : typeof body === 'string' ? body : null;
  const takesBody = method !== 'GET' && method !== 'HEAD';
  // A URL takes a backslash for a slash, which would lead to another procedure than the one that was looked at.
  const address = (raw.url ?? '').replaceAll('\\', '%5C');
  const call = new Request(new URL(address, 'http://localhost'), {
    ...{ method, headers: sent, signal },
    body: takesBody ? text : null,
  });
  return kind === 'parsed' ? Object.assign(call, { json: async () => body }) : call;
}

/** The workspace that a stream names: a browser's `EventSource` sends no headers, but parameters of its connection. */
function workspaceIn(parameters: Readonly<Record<string, unknown>> | null): string | undefined {
  return typeof parameters?.workspace === 'string' ? parameters.workspace : undefined;
}

async function callerOf(
  identify: Identify,
  request: FastifyRequest,
  reply: FastifyReply,
  workspace: string | undefined,
): Promise<Caller> {
  try {
    return await readCaller(identify, request, reply, workspace);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

/** What tRPC's door answers with. */
type TrpcParts = Pick<RestParts, 'router' | 'identify'>;
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Answers the calls of a scope. */
function createHandler({ router, identify }: TrpcParts, kind: BodyKind): Handler {
  return async (request, reply) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const answer = await fetchRequestHandler({
      endpoint: TRPC_PATH,
      req: callOf(request, kind, gone.signal),
      router,
      maxBatchSize: MAX_BATCH,
      createContext: ({ info }) => callerOf(identify, request, reply, workspaceIn(info.connectionParams)),
      responseMeta: ({ errors }) => {
        const retryAfter = Math.max(0, ...errors.map((error) => refusalOf(error)?.retryAfter ?? 0));
        return retryAfter > 0 ? { headers: { 'retry-after': String(retryAfter) } } : {};
      },
      onError: ({ error, path }) => {
        noteRefusal(request, error);
        if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') {
          request.log.error({ err: error.cause ?? error, procedure: path }, 'procedure failed');
        }
      },
    });
    return reply.send(answer);
  };
}

/** Registers `/trpc` in scopes of its own, since its bodies are for tRPC to read. */
export async function addTrpcDoor(app: FastifyInstance, parts: TrpcParts): Promise<void> {
  await app.register(async (scope) => {
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => utf8Text(body),
    );
    scope.addHook<{ Params: { path?: string } }>('onRequest', async ({ params, headers }) => {
      const rows = rowsOf(params.path ?? '');
      if (Number(headers['content-length'] ?? 0) > bodyLimitOf(rows)) throw bodyTooLarge();
      // What shares an answer with a secret is not packed either.
      if (rows.some(({ secret }) => secret)) headers['x-no-compression'] = 'secret';
    });
    // The answer goes on as text, whose length tells whether it is worth packing.
    scope.addHook('onSend', async (_request, reply, payload) => {
      if (!(payload instanceof Response) || !isWholeJson(payload)) return payload;
      reply.code(payload.status).headers(Object.fromEntries(payload.headers));
      return payload.text();
    });
    // For bodies that do not say their length beforehand; the others are held to their own procedures' bound.
    scope.all(`${TRPC_PATH}/:path`, { bodyLimit: SMALL }, createHandler(parts, 'text'));
  });
  await app.register(async (scope) => {
    acceptLargeJson(scope);
    for (const [path, { bodyLimit }] of ROWS) {
      if (bodyLimit > SMALL)
        scope.post(`${TRPC_PATH}/${path}`, { bodyLimit }, createHandler(parts, 'parsed'));
    }
  });
}
