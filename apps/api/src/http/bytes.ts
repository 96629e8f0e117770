import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Body, ByteRange, BytesAnswer, TakenBody } from '@nephos/contracts/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preconditionFailed } from '../core/errors.ts';
import { isRangeOfSame, judge } from './preconditions.ts';
import { readBody } from './raw-body.ts';

const EVENTS = 'text/event-stream';
/** Milliseconds for which a client may leave an event unread. */
const STUCK_MS = 15_000;
/** Bytes of events that wait for the client in this process. */
const EVENTS_BUFFER = 16 * 1024;

/** Characters that `filename*` may hold as they are: attr-char of RFC 8187 §3.2.1, but for what encoding leaves. */
const STILL_TO_ENCODE = /['()*]/g;
const NOT_PLAIN = /[^\x20-\x7e]|["\\%]/gu;

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A `Content-Disposition` (RFC 6266) that names a file in any script, and for old clients as near as ASCII allows. */
function contentDisposition(kind: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replace(NOT_PLAIN, '_');
  if (plain === fileName) return `${kind}; filename="${plain}"`;
  const encoded = encodeURIComponent(fileName).replace(STILL_TO_ENCODE, percent);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * Reads a `Range` header (RFC 9110 §14.2) for `size` bytes. Undefined: send everything, as for several ranges and for
 * units we do not know; 'unsatisfiable': answer 416.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes= *(\d{0,15})-(\d{0,15}) *$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : 'unsatisfiable';
}

function rangeOf({ method, headers }: FastifyRequest, { length, validators }: BytesAnswer) {
  if (method !== 'GET' || length === undefined || !validators) return undefined;
  return isRangeOfSame(headers, validators) ? readRange(headers.range, length) : undefined;
}

/** Hangs up on a client that has not taken the last event for too long. */
async function* cutWhenStuck(
  raw: ServerResponse,
  events: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  for await (const event of events) {
    const timer = setTimeout(() => raw.destroy(), STUCK_MS);
    try {
      if (event.length > 0) yield event;
    } finally {
      clearTimeout(timer);
    }
  }
}

function send(reply: FastifyReply, type: string, body: Body): FastifyReply {
  if (typeof body === 'string') {
    reply.compress(body);
    return reply;
  }
  if (body instanceof Uint8Array || body instanceof Readable) return reply.send(body);
  if (!type.startsWith(EVENTS)) return reply.send(Readable.from(body, { objectMode: false }));
  // Some proxies would gather events before they hand them on.
  reply.header('x-accel-buffering', 'no');
  const events = cutWhenStuck(reply.raw, body);
  return reply.send(Readable.from(events, { objectMode: false, highWaterMark: EVENTS_BUFFER }));
}

function setHead(reply: FastifyReply, { validators, isPublic }: BytesAnswer): void {
  // Whatever the bytes are, a browser does not run them in our name.
  reply.header('content-security-policy', 'sandbox');
  if (isPublic) reply.header('cross-origin-resource-policy', 'cross-origin');
  if (!validators) return;
  reply.headers({
    etag: validators.etag,
    'last-modified': validators.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': `${isPublic ? 'public' : 'private'}, no-cache`,
  });
}

/**
 * Sends what a handler of bytes answers, whole or a range, or no more than its head. Throws 412 where the request's
 * conditions do not hold.
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: BytesAnswer,
): Promise<FastifyReply> {
  const { type, length, fileName, inline, validators } = answer;
  setHead(reply, answer);
  const verdict = validators ? judge(request.headers, validators) : 200;
  if (verdict === 412) throw preconditionFailed();
  if (verdict === 304) return reply.code(304).send();

  const range = rangeOf(request, answer);
  if (range === 'unsatisfiable') {
    reply.code(416).header('content-range', `bytes */${length}`).type('application/json; charset=utf-8');
    const message = "The requested range isn't available.";
    return reply.send({ message, code: 'RANGE_NOT_SATISFIABLE', requestId: request.id });
  }
  reply.type(type);
  if (fileName !== undefined) {
    reply.header('content-disposition', contentDisposition(inline ? 'inline' : 'attachment', fileName));
  }
  const body = request.method === 'HEAD' ? undefined : await answer.body(range);
  const sent = range ? range.end - range.start + 1 : length;
  if (sent !== undefined) reply.header('content-length', sent);
  if (body === undefined) return reply.send();
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${length}`);
  return send(reply, type, body);
}

/** The body of a request, for a handler to read as it arrives. */
export function bodyOf(request: FastifyRequest): TakenBody {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  return {
    type,
    length: length === undefined ? undefined : Number(length),
    read: (limit, refuse) => readBody(request, limit, refuse),
  };
}
