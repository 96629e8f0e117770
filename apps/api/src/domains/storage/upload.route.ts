import { MAX_UPLOAD_BYTES, NewUpload, storage, UPLOAD_PATH } from '@nephos/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context, Deps } from '../../context.ts';
import type { Settings } from '../../env.ts';
import { type Refusal, unauthorized, unsupportedMediaType } from '../../errors.ts';
import { assertMayWrite, createContext } from '../../http/caller.ts';
import { onceByKey } from '../../http/idempotency.ts';
import { assertPlainJson } from '../../http/plain-json.ts';
import { countCall } from '../../http/rate-limit.ts';
import { readBody } from '../../http/raw-body.ts';
import { quotaExceeded, readQuota, roomOf } from '../billing/storage-quota.ts';
import { addFile, fileTooLarge, storeBytes } from './create.ts';
import { ANY_BYTES, charsetOf, essenceOf } from './media-types.ts';

const PROCEDURE = 'storage.upload';

const UploadQuery = NewUpload.extend({
  isPublic: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
});

/**
 * How many bytes are read. Of a repeated request as many as ever: its file may be there already, and counted; whether
 * it fits is decided when its row is made, as it is for all.
 */
async function boundOf(
  { db, settings, idempotencyKey }: Context,
  userId: string,
  { headers }: FastifyRequest,
): Promise<{ limit: number; refuse: () => Refusal }> {
  const any = { limit: MAX_UPLOAD_BYTES, refuse: fileTooLarge };
  if (idempotencyKey !== undefined || Number(headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) return any;
  const quota = await readQuota({ db, settings }, userId);
  const room = roomOf(quota);
  return room < MAX_UPLOAD_BYTES ? { limit: room, refuse: () => quotaExceeded(quota) } : any;
}

/** Refuses a form, whose parts and boundaries would be stored as if they were the file. */
function assertNoForm(type: string, { publicUrl }: Settings): void {
  if (essenceOf(type) !== 'multipart/form-data') return;
  throw unsupportedMediaType(
    'Send the bytes of the file as the body, not a form, for example with ' +
      `curl --data-binary @notes.txt -H "Content-Type: text/plain" "${publicUrl.origin}${UPLOAD_PATH}?fileName=notes.txt".`,
  );
}

/**
 * `POST /api/storage/upload?fileName=&filePath=&isPublic=`: the file's bytes as the body, its type as `Content-Type`,
 * straight into the object store. What is cut on the way leaves nothing.
 */
export function addUploadRoute(app: FastifyInstance, deps: Deps): void {
  app.removeAllContentTypeParsers();
  // The handler reads the body itself, as it arrives.
  app.addContentTypeParser('*', (_request, _body, done) => done(null));

  app.post(UPLOAD_PATH, { config: { anyBody: true } }, async (request, reply) => {
    const ctx = await createContext(deps, request, reply);
    const { user } = ctx;
    if (!user) throw unauthorized();
    assertMayWrite(ctx);
    const calls = storage.create.perMinute;
    await countCall(ctx, { key: `${PROCEDURE}:${user.id}`, calls, seconds: 60 });
    const type = request.headers['content-type'] ?? '';
    assertNoForm(type, ctx.settings);
    assertPlainJson(request.query);
    const upload = UploadQuery.parse(request.query);
    const [mimeType, charset] = [essenceOf(type) ?? ANY_BYTES, charsetOf(type)];

    const { limit, refuse } = await boundOf(ctx, user.id, request);
    const stored = await storeBytes(ctx, readBody(request, limit, refuse));
    const input = { ...upload, mimeType, charset, sha256: stored.sha256 };
    const file = await onceByKey({ row: storage.create, ctx, path: PROCEDURE, input }, (inner) =>
      addFile({ ...inner, user }, input, stored),
    );
    return reply.code(201).send(file);
  });
}
