import { IMAGE_TAG } from '@nephos/contracts';
import type { FastifyReply } from 'fastify';
import type { Reference } from './address.ts';
import { doerOf, etagOf, existing, isKnown, type RegistryCall, writer } from './call.ts';
import { digestOf } from './digest.ts';
import { MANIFEST_MAX, parseManifest } from './manifest.ts';
import { storeManifest } from './manifest-push.ts';
import {
  countPull,
  deleteManifest,
  findManifest,
  readManifest,
  type StoredManifest,
} from './manifest-store.ts';
import { readWholeBody } from './read-body.ts';
import { badRequest, digestInvalid, manifestUnknown } from './registry-error.ts';

/** Tags that one push may name beside the reference. */
const TAGS_MAX = 100;

function textOf(reference: Reference): string {
  return 'tag' in reference ? reference.tag : reference.digest;
}

async function find(call: RegistryCall, reference: Reference): Promise<StoredManifest> {
  const manifest = await findManifest(call.deps.db, existing(call).id, reference);
  if (!manifest) throw manifestUnknown(textOf(reference));
  return manifest;
}

type DescribedManifest = Pick<StoredManifest, 'digest' | 'mediaType' | 'size'>;

function describe({ reply }: RegistryCall, { digest, mediaType, size }: DescribedManifest): FastifyReply {
  return reply
    .header('content-type', mediaType)
    .header('content-length', size)
    .header('docker-content-digest', digest)
    .header('etag', etagOf(digest));
}

function notModified({ reply }: RegistryCall, { digest }: DescribedManifest): FastifyReply {
  return reply.code(304).header('docker-content-digest', digest).header('etag', etagOf(digest)).send();
}

/** Answers a manifest with its content, or what is asked of it by HEAD. */
export function sendManifest(
  call: RegistryCall,
  manifest: DescribedManifest,
  content?: Buffer,
): FastifyReply {
  return isKnown(call, manifest.digest)
    ? notModified(call, manifest)
    : describe(call, manifest).send(content);
}

export async function headManifest(call: RegistryCall, reference: Reference): Promise<FastifyReply> {
  return sendManifest(call, await find(call, reference));
}

/** Answers a manifest byte for byte, with the type that it was pushed with, and counts a pull. */
export async function getManifest(call: RegistryCall, reference: Reference): Promise<FastifyReply> {
  const { db } = call.deps;
  const { id } = existing(call);
  const manifest = await find(call, reference);
  if (isKnown(call, manifest.digest)) return notModified(call, manifest);
  const content = await readManifest(db, id, manifest.digest);
  if (!content) throw manifestUnknown(textOf(reference));
  await countPull(db, id, reference);
  return describe(call, manifest).send(content);
}

/** The tags of a push: the reference, or those of `?tag=` beside a digest (distribution spec, in development). */
function tagsOf(reference: Reference, query: URLSearchParams): string[] {
  if ('tag' in reference) return [reference.tag];
  const tags = [...new Set(query.getAll('tag'))];
  if (tags.length > TAGS_MAX || !tags.every((tag) => IMAGE_TAG.test(tag))) {
    throw badRequest('MANIFEST_INVALID', `A push can include up to ${TAGS_MAX} valid tags.`);
  }
  return tags;
}

export async function putManifest(call: RegistryCall, reference: Reference): Promise<FastifyReply> {
  const { deps, deployPushed, request, reply, name, query } = call;
  const owner = writer(call);
  const tags = tagsOf(reference, query);
  const content = await readWholeBody(request, MANIFEST_MAX);
  const digest = digestOf(content, 'tag' in reference ? 'sha256' : reference.expected.algorithm);
  if ('digest' in reference && digest !== reference.digest) throw digestInvalid(reference.digest);
  const manifest = parseManifest(content, request.headers['content-type']);
  const given = { digest, content, manifest, tags };
  await storeManifest({ ...deps, deployPushed }, { owner, name, by: doerOf(call) }, given);
  if (manifest.subject !== null) reply.header('oci-subject', manifest.subject);
  if ('digest' in reference && tags.length > 0) reply.header('oci-tag', tags);
  return reply
    .code(201)
    .header('location', `/v2/${name}/manifests/${digest}`)
    .header('docker-content-digest', digest)
    .send();
}

export async function removeManifest(call: RegistryCall, reference: Reference): Promise<FastifyReply> {
  await deleteManifest(call.deps, existing(call), { reference, by: doerOf(call) });
  return call.reply.code(202).send();
}
