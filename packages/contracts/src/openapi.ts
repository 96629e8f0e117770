import { type Access, type Contract, type Gives, needsWriteScope, type Row } from './kit.ts';
import { errorSchema, refusalComponents, refusalsOf, refusedAnywhere } from './openapi-answers.ts';
import { createShapes, type Json, type Shapes } from './openapi-schemas.ts';

/** A route that is no row of the contract, for example the page to sign in, as OpenAPI writes it. */
export interface PlainOperation {
  /** For example `GET /api/login`. */
  route: string;
  tag: string;
  operation: {
    operationId: string;
    summary: string;
    /** Who may call; none for anyone. */
    security: readonly Json[];
    parameters?: readonly Json[];
    requestBody?: Json;
    /** Faults of the server and of what it needs are added. */
    responses: Json;
  };
}

const BINARY = { type: 'string', format: 'binary' };

function parameter(name: string, place: 'path' | 'query', schema: unknown, required: boolean): Json {
  return { name, in: place, required, schema };
}

interface InputParts {
  parameters: Json[];
  requestBody?: Json;
}

/** Splits a row's input into what its address carries and what its body does. */
function inputParts(row: Row, { method, path }: Address, shapes: Shapes): InputParts {
  const reference = shapes.refer(row.input, 'input');
  const schema = shapes.follow(reference);
  const { properties = {} } = schema;
  const required = new Set(schema.required);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name));
  const pathParameters = inPath.map((name) =>
    parameter(name, 'path', properties[name] ?? { type: 'string' }, true),
  );
  if (method === 'get' || row.takes) {
    const queryParameters = rest.map((name) =>
      parameter(name, 'query', properties[name], required.has(name)),
    );
    return {
      parameters: [...pathParameters, ...queryParameters],
      ...(row.takes && {
        requestBody: { required: true, content: { [row.takes.type]: { schema: BINARY } } },
      }),
    };
  }
  if (rest.length === 0) return { parameters: pathParameters };
  const needed = rest.filter((name) => required.has(name));
  const body = {
    type: 'object',
    properties: Object.fromEntries(rest.map((name) => [name, properties[name]])),
    ...(needed.length > 0 && { required: needed }),
  };
  return {
    parameters: pathParameters,
    requestBody: {
      required: needed.length > 0,
      content: { 'application/json': { schema: inPath.length === 0 ? reference : body } },
    },
  };
}

function schemaOf({ type, shape }: Gives, shapes: Shapes): Json {
  if (shape) return shapes.refer(shape, 'output');
  return type.startsWith('text/') ? { type: 'string' } : BINARY;
}

/** What else bytes with validators may be answered by. */
const OF_RANGES = {
  304: { description: 'Not modified, by `If-None-Match` or `If-Modified-Since`' },
  412: { description: 'Changed, by `If-Match` or `If-Unmodified-Since`' },
  416: { description: 'Range not available' },
};

function successesOf({ gives, output, status, findsExisting }: Row, shapes: Shapes): Json {
  if (gives) {
    const content = { [gives.type]: { schema: schemaOf(gives, shapes) } };
    return {
      [status]: { description: gives.what, content },
      ...(gives.ranges && { 206: { description: 'The requested range', content }, ...OF_RANGES }),
    };
  }
  const content = { 'application/json': { schema: shapes.refer(output, 'output') } };
  return {
    [status]: { description: status === 201 ? 'Created' : 'Success', content },
    ...(findsExisting && { 200: { description: 'Already exists', content } }),
  };
}

/** Who is signed in, in the browser or with an access token, may call the operation. */
const SIGNED_IN: readonly Json[] = [{ session: [] }, { accessToken: [] }];

/** The same where an access token that can only read is not enough: OpenAPI 3.1 names roles so, for a bearer too. */
const MAY_WRITE: readonly Json[] = [{ session: [] }, { accessToken: ['write'] }];

/** Who may call, and how often, in a sentence. */
function descriptionOf(security: readonly Json[], access?: Access, perMinute?: number): string {
  const isOptional = security.some((way) => Object.keys(way).length === 0);
  const withToken = security.some((way) => 'accessToken' in way);
  const callers =
    security.length === 0 || isOptional
      ? 'anyone'
      : `${access === 'admin' ? 'admins' : 'signed-in users'}, ${withToken ? 'in the console or with an access token' : 'in the console'}`;
  return `For ${callers}.${perMinute === undefined ? '' : ` At most ${perMinute} calls a minute.`}`;
}

function securityOf(row: Row): readonly Json[] {
  // Bytes that anyone may ask for are more to some, unless nobody looks who asks.
  if (row.access === 'public') return row.kind === 'bytes' && !row.anonymous ? [...SIGNED_IN, {}] : [];
  if (row.sessionOnly) return [{ session: [] }];
  return needsWriteScope(row) ? MAY_WRITE : SIGNED_IN;
}

interface Address {
  /** In lower case. */
  method: string;
  path: string;
}

function addressOf(route: string): Address {
  const [verb = '', path = ''] = route.split(' ');
  return { method: verb.toLowerCase(), path };
}

function operationOf(id: string, row: Row, address: Address, shapes: Shapes): Json {
  const { parameters, ...input } = inputParts(row, address, shapes);
  const key = { $ref: '#/components/parameters/IdempotencyKey' };
  const security = securityOf(row);
  return {
    operationId: id,
    summary: row.summary,
    description: descriptionOf(security, row.access, row.perMinute),
    parameters: [...parameters, ...(address.method === 'get' ? [] : [key])],
    ...input,
    responses: { ...successesOf(row, shapes), ...refusalsOf(row, address.method) },
    security,
  };
}

const components = {
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by `POST /api/login`' },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An access token from the account page. Read-only tokens are refused where the scope is `write`: on every write, and every answer that contains a secret',
    },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Repeating a request with the same key returns the first answer for seven days, and for sent payments permanently',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,255}$' },
    },
  },
  responses: refusalComponents,
};

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Json;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Json>>;
  components: Json;
}

export interface DocumentOptions {
  version: string;
  /** In Markdown. */
  description?: string;
  /** Origin of the API. */
  serverUrl: string;
  /** What each domain is about, by its name. */
  tags?: Readonly<Record<string, string>>;
  /** A module's namespace: the zod schemas among what it exports are named as it names them. */
  named?: Readonly<Record<string, unknown>>;
  /** The operations beside the contract's. */
  plain?: (shapes: Shapes) => readonly PlainOperation[];
}

/** The OpenAPI 3.1 document of every row that has a REST address, and of the plain operations beside them. */
export function openApiDocument(contract: Contract, options: DocumentOptions): OpenApiDocument {
  const shapes = createShapes(options.named ?? {});
  const paths: OpenApiDocument['paths'] = {};
  const add = ({ method, path }: Address, tag: string, operation: Json) => {
    paths[path] = { ...paths[path], [method]: { tags: [tag], ...operation } };
  };
  for (const { route, tag, operation } of options.plain?.(shapes) ?? []) {
    const responses = { ...refusedAnywhere(), ...operation.responses };
    const description = descriptionOf(operation.security);
    add(addressOf(route), tag, { description, ...operation, responses });
  }
  for (const [domain, table] of Object.entries(contract)) {
    for (const [name, row] of Object.entries(table)) {
      if (!row.route) continue;
      const address = addressOf(row.route);
      add(address, domain, operationOf(`${domain}.${name}`, row, address, shapes));
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Nephos API',
      version: options.version,
      description: options.description ?? 'All documented endpoints of the console.',
      contact: { name: 'Nephos', url: options.serverUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    tags: Object.entries(options.tags ?? {}).map(([name, description]) => ({ name, description })),
    paths,
    components: { ...components, schemas: { Error: errorSchema, ...shapes.referredTo(paths) } },
  };
}
