import type { IncomingMessage } from 'node:http';
import type { Settings } from '../../../core/settings.ts';
import { hostName } from '../../../http/request-target.ts';
import { bucketOfHost } from '../../../platform/host-address.ts';
import { S3Error } from './s3-error.ts';

/** What an S3 call is about: the account where there is no bucket, the bucket where there is no key. */
export interface Address {
  bucket: string;
  key: string;
  /** As it was sent, for the signature. */
  path: string;
  query: URLSearchParams;
  /** Whether it came to the storage's own host, where nothing of the console is. */
  isOwnHost: boolean;
}

/** By Version 4, and by Version 2, which is told why it is refused. */
const SIGNED = /^AWS(4-| )/;
const SIGNED_QUERY = /[?&](X-Amz-(Algorithm|Credential|Signature)|AWSAccessKeyId)=/i;
const SIGNING_HEADERS = /(^|[\s,])x-amz-/i;

/** Whether a request at the console's host speaks S3: it is signed so, or asks whether a page may sign one. */
function isSigned({
  method,
  headers,
  url = '',
}: Pick<IncomingMessage, 'method' | 'headers' | 'url'>): boolean {
  if (SIGNED.test(headers.authorization ?? '') || SIGNED_QUERY.test(url)) return true;
  return method === 'OPTIONS' && SIGNING_HEADERS.test(headers['access-control-request-headers'] ?? '');
}

/** Whether a request is an S3 client's. */
export function isS3Request(
  settings: Pick<Settings, 'publicUrl'>,
  request: Pick<IncomingMessage, 'method' | 'headers' | 'url'>,
): boolean {
  return isSigned(request) || bucketOfHost(settings, hostName(request)) !== undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

/** Reads whom an S3 request is about, by its host or its path. Throws InvalidURI. */
export function readAddress(
  settings: Pick<Settings, 'publicUrl'>,
  request: Pick<IncomingMessage, 'headers' | 'url'>,
): Address {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const ofHost = bucketOfHost(settings, hostName(request));
  const isOwnHost = ofHost !== undefined;
  if (ofHost) return { bucket: ofHost, key: decoded(path.slice(1)), path, query, isOwnHost };
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return { bucket: decoded(bucket), key: decoded(key), path, query, isOwnHost };
}
