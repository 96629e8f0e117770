import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { leaveBodies } from '../../../http/raw-body.ts';
import type { Platform } from '../../../platform/platform.ts';
import { answerMirrored } from '../mirror/mirror-answers.ts';
import { mirroredName } from '../mirror/mirrored-name.ts';
import { authorize, challenge, countRegistryCall, identify, type RegistryParts } from './access.ts';
import { type Address, readAddress } from './address.ts';
import { deleteBlob, getBlob, headBlob } from './blobs.ts';
import type { RegistryCall } from './call.ts';
import { CATALOGUE, listCatalogue } from './catalogue.ts';
import { listReferrers, listTags } from './listings.ts';
import { getManifest, headManifest, putManifest, removeManifest } from './manifests.ts';
import { methodUnsupported, sendRegistryError } from './registry-error.ts';
import { type Action, createRegistryTokens } from './registry-token.ts';
import { addTokenRoutes } from './token.route.ts';
import { deleteUpload, getUpload, patchUpload, postUpload, putUpload } from './uploads.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

function actionOf(method: string, { kind }: Address): Action {
  if (kind === 'uploads' || kind === 'upload') return 'push';
  if (method === 'GET' || method === 'HEAD') return 'pull';
  return method === 'DELETE' ? 'delete' : 'push';
}

function dispatch(call: RegistryCall, address: Address): Promise<FastifyReply> {
  const operation = `${call.request.method} ${address.kind}`;
  switch (address.kind) {
    case 'uploads':
      if (operation === 'POST uploads') return postUpload(call);
      break;
    case 'upload': {
      const { uploadId } = address;
      if (operation === 'PATCH upload') return patchUpload(call, uploadId);
      if (operation === 'PUT upload') return putUpload(call, uploadId);
      if (operation === 'GET upload') return getUpload(call, uploadId);
      if (operation === 'DELETE upload') return deleteUpload(call, uploadId);
      break;
    }
    case 'blob':
      if (operation === 'HEAD blob') return headBlob(call, address);
      if (operation === 'GET blob') return getBlob(call, address);
      if (operation === 'DELETE blob') return deleteBlob(call, address);
      break;
    case 'manifest': {
      const { reference } = address;
      if (operation === 'HEAD manifest') return headManifest(call, reference);
      if (operation === 'GET manifest') return getManifest(call, reference);
      if (operation === 'PUT manifest') return putManifest(call, reference);
      if (operation === 'DELETE manifest') return removeManifest(call, reference);
      break;
    }
    case 'tags':
      if (operation === 'GET tags') return listTags(call);
      break;
    case 'referrers':
      if (operation === 'GET referrers') return listReferrers(call, address.digest);
      break;
  }
  throw methodUnsupported();
}

async function answer(
  parts: RegistryParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await identify(parts, request.headers.authorization);
  await countRegistryCall(parts, caller.bearer, { door: 'registry', ip: request.ip });
  // The path is read as it was sent: what a URL parser would resolve, like `..`, is no part of any name.
  const [pathname = '', search] = (request.raw.url ?? '').split('?');
  const query = new URLSearchParams(search);
  const path = pathname.slice('/v2/'.length);
  if (path === '') {
    if (caller.bearer === null && caller.grants === null) throw challenge(parts);
    return reply.type('application/json').send('{}');
  }
  if (path === CATALOGUE) return listCatalogue(parts, { caller, request, reply, query });
  const address = readAddress(path);
  const { name } = address;
  const { mirror } = parts;
  const mirrored = mirroredName(name);
  if (mirror && mirrored !== undefined) {
    const call = { ...parts, request, reply, caller, name, query, repository: undefined };
    return answerMirrored(mirror, call, { ...address, name: mirrored });
  }
  const repository = await authorize(parts, caller, { name, action: actionOf(request.method, address) });
  return dispatch({ ...parts, request, reply, caller, name, query, repository }, address);
}

/**
 * The registry: the OCI distribution spec 1.1 at `/v2/`, with tokens by the Docker token specification. Register it in
 * a scope of its own: bodies are streams here, and errors have the registry's form.
 */
export async function addRegistry(
  app: FastifyInstance,
  deps: Pick<Platform, 'settings' | 'db' | 'objects' | 'secrets' | 'callCounts'>,
  more: Pick<RegistryParts, 'deployPushed' | 'mirror'>,
): Promise<void> {
  const parts = { deps, tokens: createRegistryTokens(deps), ...more };
  leaveBodies(app);
  app.setErrorHandler((error, request, reply) => sendRegistryError(request, reply, error));
  app.addHook('onSend', async (_request, reply) => {
    reply.header('docker-distribution-api-version', 'registry/2.0');
  });
  addTokenRoutes(app, parts);
  for (const url of ['/v2', '/v2/*']) {
    app.route({
      method: METHODS,
      url,
      exposeHeadRoute: false,
      config: { anyBody: true, anyOrigin: true },
      handler: (request, reply) => answer(parts, request, reply),
    });
  }
}
