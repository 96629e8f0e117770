import { isPreviewable } from '@nephos/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { readRange } from '../../http/byte-range.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { servedType } from './media-types.ts';
import type { FileRow } from './service.ts';

/** Whether the client has these bytes already (RFC 9110 §13.1.2, weak comparison). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags?.some((tag) => tag === '*' || tag === etag) ?? false;
}

/** The range that is asked for; with `If-Range` only of the very bytes that the client has a part of (§13.1.5). */
function rangeOf({ method, headers }: FastifyRequest, etag: string, size: number) {
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || ifRange === etag;
  return method === 'GET' && isSame ? readRange(headers.range, size) : undefined;
}

/**
 * Sends a file's bytes, whole or a range, to `GET` and `HEAD`. Whatever they are, the browser does not run them in our
 * name: most are downloads, the type is sent only if it is harmless, and is not to be guessed.
 */
export async function sendFile(
  { objects, log }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { file, cache }: { file: FileRow; cache: 'private' | 'public' },
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`;
  const { inline } = request.query as { inline?: unknown };
  const kind = inline === '1' && isPreviewable(file.mimeType) ? 'inline' : 'attachment';
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': `${cache}, no-cache`,
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();

  reply.headers({
    'content-type': servedType(file.mimeType),
    'content-disposition': contentDisposition(kind, file.fileName),
  });
  const range = rangeOf(request, etag, file.fileSize);
  if (range === 'unsatisfiable') {
    return reply
      .code(416)
      .header('content-range', `bytes */${file.fileSize}`)
      .removeHeader('content-disposition')
      .type('application/json; charset=utf-8')
      .send({ message: 'The file has no such range.', code: 'RANGE_NOT_SATISFIABLE', requestId: request.id });
  }
  const length = range ? range.end - range.start + 1 : file.fileSize;
  reply.header('content-length', length);
  if (request.method === 'HEAD') return reply.send();

  const bytes = await objects.get(file.objectKey, range);
  if (!bytes) {
    log.error({ fileId: file.id, objectKey: file.objectKey }, 'the bytes of a file are missing');
    throw notFound();
  }
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.fileSize}`);
  }
  return reply.send(bytes);
}
