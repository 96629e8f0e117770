import type { Row } from './kit.ts';
import type { Json } from './openapi-schemas.ts';

/** Every refusal that the API gives by HTTP, by its status. */
const REFUSALS: Readonly<Record<string, string>> = {
  400: 'Invalid input; `fields` says where',
  401: 'Not signed in',
  402: 'Payment required',
  403: 'Not allowed',
  404: 'Not found, or no access',
  409: 'Conflicts with the current state',
  413: 'Body too large',
  415: 'Unsupported content type',
  422: 'Breaks a business rule',
  429: 'Too many requests; `Retry-After` says when to try again',
  500: 'Server error',
  503: 'Temporarily unavailable; `Retry-After` says when to try again',
};
/** Those that say when to come back. */
const WAITS = new Set(['429', '503']);
/** What any call may be answered. */
const ANY = [400, 403, 404, 409, 429, 500, 503];
/** What any write may be answered besides: its body may be none, and its `Idempotency-Key` another request's. */
const OF_WRITES = [413, 415, 422];

/** A refusal among the responses of an operation, in its own words or in those of all. */
export function refused(status: number, description = REFUSALS[status]): Json {
  return { [status]: { $ref: `#/components/responses/${status}`, description } };
}

/** The refusals that every operation may give. */
export function refusedAnywhere(): Json {
  return Object.assign({}, ...[500, 503].map((status) => refused(status)));
}

/** What a row's route may answer beside its success: what its door, its guard and its handler refuse. */
export function refusalsOf(row: Row, method: string): Json {
  const statuses = [
    ...ANY,
    ...(row.access === 'public' ? [] : [401]),
    ...(row.asksPayment ? [402] : []),
    ...(method === 'get' ? [] : OF_WRITES),
  ];
  const own = Object.entries(row.refusals).map(([status, words]) => refused(Number(status), words));
  return Object.assign({}, ...statuses.map((status) => refused(status)), ...own);
}

/** The responses that all operations refer to. */
export const refusalComponents: Json = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, description]) => [
    status,
    {
      description,
      ...(WAITS.has(status) && {
        headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 1 } } },
      }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
);

/** The one shape of refusals. */
export const errorSchema: Json = {
  type: 'object',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', description: 'A sentence to show to people' },
    code: { type: 'string', description: 'An uppercase code for programs' },
    requestId: { type: 'string' },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    existingId: { type: 'string', description: 'Of a conflict: the id of what is in the way' },
  },
};
