import type { FastifyReply } from 'fastify';
import { Refusal } from '../../../core/errors.ts';
import { hasBody } from '../../../http/slow-clients.ts';
import {
  type DigestAlgorithm,
  type ExpectedDigest,
  NoSuchUpload,
  UploadConflict,
  WrongDigest,
} from '../../../platform/object-store/object-store.ts';
import { mayPull } from './access.ts';
import { readDigest } from './address.ts';
import { findBlob, type LinkedBlob, linkBlob } from './blob-store.ts';
import { type RegistryCall, writer } from './call.ts';
import { blobKey, parseDigest } from './digest.ts';
import { bodyWithinQuota } from './quota-body.ts';
import { badRequest, digestInvalid, RegistryError, uploadUnknown } from './registry-error.ts';
import { findRepository } from './repositories.ts';
import { beginUpload, findUpload, forgetUpload } from './upload-store.ts';

/** `Range` as uploads have it: what has arrived, with `0-0` for nothing too. */
function arrivedRange(size: number): string {
  return `0-${Math.max(0, size - 1)}`;
}

function accepted({ reply, name }: RegistryCall, uploadId: string, size: number): FastifyReply {
  return reply
    .code(202)
    .header('location', `/v2/${name}/blobs/uploads/${uploadId}`)
    .header('range', arrivedRange(size))
    .header('docker-upload-uuid', uploadId)
    .send();
}

function created({ reply, name }: RegistryCall, digest: string): FastifyReply {
  return reply
    .code(201)
    .header('location', `/v2/${name}/blobs/${digest}`)
    .header('docker-content-digest', digest)
    .send();
}

function outOfOrder({ name }: RegistryCall, uploadId: string, size: number): RegistryError {
  return new RegistryError({
    status: 416,
    code: 'BLOB_UPLOAD_INVALID',
    message: "This part doesn't start where the upload left off.",
    headers: { location: `/v2/${name}/blobs/uploads/${uploadId}`, range: arrivedRange(size) },
  });
}

/** What the object store refuses, in the registry's words. */
function refusalOf(call: RegistryCall, uploadId: string, digest: string, error: unknown): unknown {
  if (error instanceof NoSuchUpload) return uploadUnknown();
  if (error instanceof UploadConflict) return outOfOrder(call, uploadId, error.size);
  if (error instanceof WrongDigest) return digestInvalid(digest);
  return error;
}

/** Where the body belongs by its `Content-Range: <first>-<last>`; undefined where it says nothing. */
function readContentRange({ request }: RegistryCall): number | undefined {
  const header = request.headers['content-range'];
  if (header === undefined) return undefined;
  const [, first, last] = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/(?:\d+|\*))?$/.exec(header) ?? [];
  const length = request.headers['content-length'];
  const claimed = Number(last) - Number(first) + 1;
  if (first === undefined || claimed < 1 || (length !== undefined && Number(length) !== claimed)) {
    throw badRequest('SIZE_INVALID', "Content-Range and Content-Length don't match.");
  }
  return Number(first);
}

/** Whether a part comes, or is at least said to: then it is judged. */
function sendsPart({ request: { raw, headers } }: RegistryCall): boolean {
  return hasBody(raw) || headers['content-range'] !== undefined;
}

/** Adds the request's body to an upload and resolves to its new size. */
async function append(call: RegistryCall, uploadId: string): Promise<number> {
  const { uploads } = call.deps.objects;
  const size = await uploads.size(uploadId);
  if (size === undefined) throw uploadUnknown();
  const offset = readContentRange(call) ?? size;
  return uploads.append(uploadId, bodyWithinQuota(call, uploadId, size), offset);
}

/**
 * Makes an upload a blob of the repository. Where the database fails between the two, the upload is still there for the
 * client to come again.
 */
async function finish(
  call: RegistryCall,
  uploadId: string,
  { digest, expected }: { digest: string; expected: ExpectedDigest },
): Promise<FastifyReply> {
  const { deps, name } = call;
  const { uploads } = deps.objects;
  const { id: ownerId } = writer(call);
  const size = await uploads.finish(uploadId, blobKey(expected), expected);
  if (!(await linkBlob(deps, { ownerId, name }, { digest, size }, uploadId))) throw uploadUnknown();
  // The blob is stored for good. Where this fails, the sweep removes what is left of the upload.
  await uploads.abort(uploadId).catch(() => false);
  return created(call, digest);
}

/** The blob that is to be mounted, if the caller may pull it from where they say it is. */
async function findMountable(call: RegistryCall, digest: string): Promise<LinkedBlob | undefined> {
  const { deps, caller, query, repository } = call;
  const from = query.get('from');
  const source = from === null ? repository : await findRepository(deps.db, from);
  if (!source || !mayPull(caller, source)) return undefined;
  return findBlob(deps.db, source.id, digest);
}

async function pushAtOnce(call: RegistryCall, digest: string): Promise<FastifyReply> {
  const { deps, name: repository } = call;
  const expected = readDigest(digest);
  const { algorithm } = expected;
  const uploadId = await beginUpload(deps, { ownerId: writer(call).id, repository, algorithm });
  try {
    await append(call, uploadId);
    return await finish(call, uploadId, { digest, expected });
  } catch (error) {
    // Nobody was told of this upload, so nobody can resume it.
    await deps.objects.uploads.abort(uploadId);
    await forgetUpload(deps.db, uploadId);
    throw refusalOf(call, uploadId, digest, error);
  }
}

function algorithmOf(text: string | null): DigestAlgorithm {
  return text === 'sha512' ? 'sha512' : 'sha256';
}

/** `POST …/blobs/uploads/`: mounts, takes a whole blob, or begins an upload. */
export async function postUpload(call: RegistryCall): Promise<FastifyReply> {
  const { deps, name, query } = call;
  const owner = writer(call);
  const digest = query.get('digest');
  if (digest !== null) return pushAtOnce(call, digest);
  const mount = query.get('mount');
  if (mount !== null && parseDigest(mount)) {
    const blob = await findMountable(call, mount);
    if (blob && (await linkBlob(deps, { ownerId: owner.id, name }, blob))) return created(call, mount);
  }
  const algorithm = algorithmOf(query.get('digest-algorithm'));
  const uploadId = await beginUpload(deps, { ownerId: owner.id, repository: name, algorithm });
  return accepted(call, uploadId, 0);
}

async function assertUpload(call: RegistryCall, id: string): Promise<void> {
  const { id: ownerId } = writer(call);
  if (!(await findUpload(call.deps.db, { id, ownerId, repository: call.name }))) throw uploadUnknown();
}

/** Gives what `work` does; where that ends an upload, for the store or by a refusal, forgets whose it was. */
async function orForget<T>(
  call: RegistryCall,
  { uploadId, digest = '' }: { uploadId: string; digest?: string },
  work: () => Promise<T>,
): Promise<T> {
  const { db, objects } = call.deps;
  try {
    return await work();
  } catch (error) {
    // Whoever went on with the upload would be refused again, unless what it needs is only away for now.
    if (error instanceof Refusal && error.reason !== 'UNAVAILABLE') await objects.uploads.abort(uploadId);
    if ((await objects.uploads.size(uploadId)) === undefined) await forgetUpload(db, uploadId);
    throw refusalOf(call, uploadId, digest, error);
  }
}

export async function patchUpload(call: RegistryCall, uploadId: string): Promise<FastifyReply> {
  await assertUpload(call, uploadId);
  const size = await orForget(call, { uploadId }, () => append(call, uploadId));
  return accepted(call, uploadId, size);
}

/**
 * `PUT …?digest`: adds the last part, if there is one, and makes the upload a blob. A client that was told to come again may
 * send it again.
 */
export async function putUpload(call: RegistryCall, uploadId: string): Promise<FastifyReply> {
  const { uploads } = call.deps.objects;
  const digest = call.query.get('digest') ?? '';
  const expected = readDigest(digest);
  await assertUpload(call, uploadId);
  return orForget(call, { uploadId, digest }, async () => {
    if (sendsPart(call) && !(await uploads.isFinished(uploadId))) await append(call, uploadId);
    return finish(call, uploadId, { digest, expected });
  });
}

export async function getUpload(call: RegistryCall, uploadId: string): Promise<FastifyReply> {
  await assertUpload(call, uploadId);
  const size = await call.deps.objects.uploads.size(uploadId);
  if (size === undefined) throw uploadUnknown();
  return accepted(call, uploadId, size).code(204);
}

export async function deleteUpload(call: RegistryCall, uploadId: string): Promise<FastifyReply> {
  await assertUpload(call, uploadId);
  try {
    if (!(await call.deps.objects.uploads.abort(uploadId))) throw uploadUnknown();
  } catch (error) {
    throw refusalOf(call, uploadId, '', error);
  }
  await forgetUpload(call.deps.db, uploadId);
  return call.reply.code(204).send();
}
