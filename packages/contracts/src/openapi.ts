import { z } from 'zod';
import { type Contract, needsWriteScope, type Row } from './kit.ts';

type Json = Record<string, unknown>;

/** A route that is not a procedure, for example a download, as OpenAPI writes it. */
export interface PlainOperation {
  /** For example `GET /api/login`. */
  route: string;
  tag: string;
  operation: Json;
}

const ERROR_STATUSES: Readonly<Record<string, string>> = {
  400: 'The input is malformed; `fields` says where',
  401: 'No live session',
  403: 'Not allowed',
  404: 'No such thing, or not yours',
  409: 'It contradicts what is there',
  422: 'A rule forbids it',
  429: 'Too many requests; `Retry-After` says when to come back',
  503: 'Something it needs is not there now; `Retry-After` says when to try again',
};

/** A refusal among the responses of a plain operation, in its own words. */
export function refused(status: number, description: string): Json {
  return { [status]: { $ref: `#/components/responses/${status}`, description } };
}

const errorSchema = {
  type: 'object',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', description: 'One sentence for a person' },
    code: { type: 'string', description: 'Upper-case code for a program' },
    requestId: { type: 'string' },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function errorResponses(row: Row): Json {
  const statuses = Object.entries(ERROR_STATUSES).filter(
    ([status]) => status !== '401' || row.access !== 'public',
  );
  return Object.assign({}, ...statuses.map(([status, description]) => refused(Number(status), description)));
}

function parameter(name: string, place: 'path' | 'query', schema: unknown, required: boolean): Json {
  return { name, in: place, required, schema };
}

/** Splits a row's input into what its address carries and what its body does. */
function inputParts(row: Row, method: string, path: string): Json {
  const schema = schemaOf(row.input, 'input');
  const properties = (schema.properties ?? {}) as Json;
  const required = new Set((schema.required ?? []) as string[]);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name));
  const pathParameters = inPath.map((name) =>
    parameter(name, 'path', properties[name] ?? { type: 'string' }, true),
  );
  if (method === 'get') {
    const queryParameters = rest.map((name) =>
      parameter(name, 'query', properties[name], required.has(name)),
    );
    return { parameters: [...pathParameters, ...queryParameters] };
  }
  if (rest.length === 0) return { parameters: pathParameters };
  const body = {
    type: 'object',
    properties: Object.fromEntries(rest.map((name) => [name, properties[name]])),
    required: rest.filter((name) => required.has(name)),
  };
  return {
    parameters: pathParameters,
    requestBody: { required: body.required.length > 0, content: { 'application/json': { schema: body } } },
  };
}

function successOf({ restStream, output }: Row): Json {
  if (restStream !== undefined) {
    return { description: restStream, content: { 'text/event-stream': { schema: { type: 'string' } } } };
  }
  return {
    description: 'Success',
    content: { 'application/json': { schema: schemaOf(output, 'output') } },
  };
}

/** Of an operation for whoever is signed in, in the browser or with an access token. */
export const SIGNED_IN: readonly Json[] = [{ session: [] }, { accessToken: [] }];

/** The same where an access token that can only read is not enough: OpenAPI 3.1 names roles so, for a bearer too. */
const MAY_WRITE: readonly Json[] = [{ session: [] }, { accessToken: ['write'] }];

function securityOf(row: Row): readonly Json[] {
  if (row.access === 'public') return [];
  if (row.sessionOnly) return [{ session: [] }];
  return needsWriteScope(row) ? MAY_WRITE : SIGNED_IN;
}

function operationOf(domain: string, name: string, row: Row, method: string, path: string): Json {
  const input = inputParts(row, method, path);
  const parameters = [...(input.parameters as Json[])];
  if (method !== 'get') parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: row.summary,
    ...input,
    parameters,
    responses: {
      [row.status]: successOf(row),
      ...errorResponses(row),
    },
    security: securityOf(row),
  };
}

const components = {
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by `POST /api/login`' },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An access token of the account page; one that can only read is refused where the scope is `write`: every write, and every answer that holds a secret',
    },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Repeating a request with the same key gives the first answer again, for seven days; a send, for ever',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,255}$' },
    },
  },
  schemas: { Error: errorSchema },
  responses: Object.fromEntries(
    Object.entries(ERROR_STATUSES).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    ]),
  ),
};

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Json>>;
  components: Json;
}

/** The OpenAPI 3.1 document of every row that has a REST address, and of the plain operations beside them. */
export function openApiDocument(
  contract: Contract,
  options: { version: string; serverUrl: string; plain?: readonly PlainOperation[] },
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const add = (route: string, operation: (method: string, path: string) => Json) => {
    const [verb = '', path = ''] = route.split(' ');
    const method = verb.toLowerCase();
    paths[path] = { ...paths[path], [method]: operation(method, path) };
  };
  for (const { route, tag, operation } of options.plain ?? [])
    add(route, () => ({ tags: [tag], ...operation }));
  for (const [domain, table] of Object.entries(contract)) {
    for (const [name, row] of Object.entries(table)) {
      if (row.route) add(row.route, (method, path) => operationOf(domain, name, row, method, path));
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Nephos API',
      version: options.version,
      description: 'Every documented path of the console.',
    },
    servers: [{ url: options.serverUrl }],
    paths,
    components,
  };
}
