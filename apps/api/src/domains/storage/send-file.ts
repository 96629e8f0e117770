import { isPreviewable } from '@nephos/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../context.ts';
import { notFound, preconditionFailed } from '../../errors.ts';
import { readRange } from '../../http/byte-range.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { isRangeOfSame, judge } from '../../http/preconditions.ts';
import { servedType } from './media-types.ts';
import type { FileRow } from './service.ts';

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
  const validators = { etag: `"${file.sha256}"`, modifiedAt: new Date(file.createdAt) };
  const { inline } = request.query as { inline?: unknown };
  const kind = inline === '1' && isPreviewable(file.mimeType) ? 'inline' : 'attachment';
  reply.headers({
    etag: validators.etag,
    'last-modified': validators.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': `${cache}, no-cache`,
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  });
  const verdict = judge(request.headers, validators);
  if (verdict === 412) throw preconditionFailed();
  if (verdict === 304) return reply.code(304).send();

  reply.headers({
    'content-type': servedType(file.mimeType, file.charset),
    'content-disposition': contentDisposition(kind, file.fileName),
  });
  const takesRange = request.method === 'GET' && isRangeOfSame(request.headers, validators);
  const range = takesRange ? readRange(request.headers.range, file.fileSize) : undefined;
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
