import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { readRange } from '../../http/bytes.ts';
import { PATIENCE } from '../../http/patience.ts';
import { isRangeOfSame, judge } from '../../http/preconditions.ts';
import { pathOf } from '../../http/request-target.ts';
import { closeIfUnread } from '../../http/send-elsewhere.ts';
import { boundClient } from '../../http/slow-clients.ts';
import { trustOf } from '../../http/trusted-proxy.ts';
import { createVisitCounter } from '../../http/visit-limit.ts';
import { peerOf } from '../../platform/client-address.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ServeSite } from '../deployments/engine/serve/app-hosts.ts';
import { sendPage } from '../deployments/engine/serve/app-pages.ts';
import { openBytes } from '../storage/file-bytes.ts';
import { findPage, type SiteFile } from './find-page.ts';

type SiteParts = Pick<Platform, 'settings' | 'db' | 'objects' | 'log'>;

/** Requests of one address in a minute: a page has dozens of parts, and many people may share an address. */
const VISITS = 3000;

/** Answers at the own domains of buckets, with the bytes as they were stored: each domain is an origin of its own. */
export function createSiteServer(parts: SiteParts): ServeSite {
  const isTrusted = trustOf(parts.settings.trustProxy);
  const countVisit = createVisitCounter(parts.settings, VISITS);
  return (bucketId, request, response) => {
    boundClient(request, response, PATIENCE);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      closeIfUnread(request, response);
      response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end();
      return;
    }
    if (countVisit(peerOf(request, isTrusted)) > 0) return sendPage(request, response, 'busy');
    answer(parts, bucketId, request, response).catch((error: unknown) => {
      // Who has gone is no failure of ours.
      if (!response.destroyed) parts.log.error({ err: error, bucketId }, 'a site could not be served');
      if (response.headersSent) response.destroy();
      else sendPage(request, response, 'starting');
    });
  };
}

async function answer(
  { db, ...parts }: SiteParts & { db: Kysely<Database> },
  bucketId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const page = await findPage(db, bucketId, pathOf(request));
  if (!page) return sendPage(request, response, 'missing');
  if ('location' in page) {
    response.writeHead(302, { location: page.location, 'content-length': 0 }).end();
    return;
  }
  await sendFile(parts, page.file, { status: page.status, request, response });
}

interface Sending {
  status: 200 | 404;
  request: IncomingMessage;
  response: ServerResponse;
}

async function sendFile(
  { objects, log }: Pick<SiteParts, 'objects' | 'log'>,
  file: SiteFile,
  { status, request, response }: Sending,
): Promise<void> {
  const { headers, method } = request;
  const validators = { etag: `"${file.etag}"`, modifiedAt: new Date(file.uploadedAt) };
  const head = headOf(file, validators);
  // What stands in for something else is no representation of that.
  const verdict = status === 200 ? judge(headers, validators) : 200;
  if (verdict !== 200) {
    response.writeHead(verdict, { ...head, ...(verdict === 412 && { 'content-length': 0 }) }).end();
    return;
  }
  const mayBePart = status === 200 && method === 'GET' && isRangeOfSame(headers, validators);
  const range = mayBePart ? readRange(headers.range, file.fileSize) : undefined;
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${file.fileSize}`, 'content-length': 0 }).end();
    return;
  }
  const bytes = method === 'HEAD' ? undefined : await openBytes(objects, file, range);
  if (method === 'GET' && !bytes) {
    log.error({ fileId: file.id, objectKey: file.objectKey }, 'the bytes of a file are missing');
    return sendPage(request, response, 'missing');
  }
  response.statusCode = range ? 206 : status;
  const whole = {
    ...head,
    'content-type': file.type,
    'content-length': range ? range.end - range.start + 1 : file.fileSize,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.fileSize}` }),
  };
  // Not by `writeHead`: what sends a file by the kernel asks the response for its length.
  for (const [name, value] of Object.entries(whole)) response.setHeader(name, value);
  if (bytes) await pipeline(bytes, response);
  else response.end();
}

function headOf(
  { headers }: SiteFile,
  { etag, modifiedAt }: { etag: string; modifiedAt: Date },
): Record<string, string> {
  return {
    'cache-control': 'no-cache',
    ...headers,
    ...{ etag, 'last-modified': modifiedAt.toUTCString(), 'accept-ranges': 'bytes' },
    'x-content-type-options': 'nosniff',
  };
}
