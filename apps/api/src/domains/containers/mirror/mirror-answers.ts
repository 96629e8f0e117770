import type { FastifyReply } from 'fastify';
import { challenge, isGranted, mirrorActions } from '../registry/access.ts';
import type { Address } from '../registry/address.ts';
import { sendBlob, sendBlobHead, sendWholeBlob } from '../registry/blobs.ts';
import type { RegistryCall } from '../registry/call.ts';
import { sendManifest } from '../registry/manifests.ts';
import { denied, methodUnsupported, nameUnknown } from '../registry/registry-error.ts';
import { type Mirror, refusalOf } from './mirror.ts';
import { findMirrored, readMirrored } from './mirror-store.ts';
import { fetchBlob, measureBlob } from './mirrored-blobs.ts';
import { findManifest } from './mirrored-manifests.ts';
import { UpstreamAway } from './upstream.ts';

/**
 * Answers a pull from the registry that is mirrored; `address` has the name that the repository has there. It is only
 * pulled from, by whoever has an account here, and by deployments.
 */
export async function answerMirrored(
  mirror: Mirror,
  call: RegistryCall,
  address: Address,
): Promise<FastifyReply> {
  assertMayPull(call);
  try {
    if (address.kind === 'manifest') return await answerManifest(mirror, call, address);
    if (address.kind === 'blob') return await answerBlob(mirror, call, address);
  } catch (error) {
    if (!(error instanceof UpstreamAway)) throw error;
    mirror.log.warn({ err: error, name: address.name }, 'the mirrored registry cannot be pulled from');
    throw refusalOf(error);
  }
  throw methodUnsupported();
}

function assertMayPull(call: RegistryCall): void {
  const { caller, name, request } = call;
  const allowed = mirrorActions(call, caller.bearer, name) ?? [];
  if (!caller.bearer) throw challenge(call, { name, action: 'pull' });
  if (allowed.length === 0) throw nameUnknown(name);
  if (!isGranted(caller.grants, name, 'pull')) {
    throw challenge(call, { name, action: 'pull', error: 'insufficient_scope' });
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw denied('Images of another registry can only be pulled here.');
  }
}

async function answerManifest(
  mirror: Mirror,
  call: RegistryCall,
  { name, reference }: Extract<Address, { kind: 'manifest' }>,
): Promise<FastifyReply> {
  const { content, ...manifest } = await findManifest(mirror, name, reference);
  return sendManifest(call, manifest, call.request.method === 'GET' ? content : undefined);
}

async function answerBlob(
  mirror: Mirror,
  call: RegistryCall,
  { name, digest, expected }: Extract<Address, { kind: 'blob' }>,
): Promise<FastifyReply> {
  const kept = await findMirrored(mirror, expected);
  const wanted = { name, digest, expected };
  if (call.request.method === 'HEAD') {
    return sendBlobHead(call, { digest, size: kept?.size ?? (await measureBlob(mirror, wanted)) });
  }
  if (kept) return sendBlob(call, kept, (range) => readMirrored(mirror, expected, range));
  const { size, content } = await fetchBlob(mirror, wanted);
  return sendWholeBlob(call, { digest, size }, content);
}
