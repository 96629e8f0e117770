import { ObjectTags } from '@nephos/contracts';
import { MAX_TAGS } from '@nephos/contracts/constants';
import { ANY_BYTES, charsetOf, essenceOf } from '../media-types.ts';
import type { FileRow } from '../service.ts';
import { headerOf, type S3Call } from './s3-call.ts';
import { badArgument, S3Error } from './s3-error.ts';

/** What S3 calls the type of an object that came without one. */
const NO_TYPE = 'binary/octet-stream';
const META = 'x-amz-meta-';
/** Headers that are kept and sent as they came. */
const KEPT = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
] as const;
/** Bytes of names and values of all `x-amz-meta-` headers; and of the others. */
const MOST = 2048;

/** Whether a text can be sent as the value of a header. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** What a client says of an object beside its bytes. */
export interface ObjectHeaders {
  mimeType: string;
  charset: string | null;
  metadata: Record<string, string>;
}

/** Where a type is kept that is more than our columns hold. */
const TYPE = 'content-type';

/** The type of an object as its client gave it. */
export function typeOf({
  mimeType,
  charset,
  metadata,
}: Pick<FileRow, 'mimeType' | 'charset' | 'metadata'>): string {
  return metadata[TYPE] ?? (charset === null ? mimeType : `${mimeType}; charset=${charset}`);
}

/** Throws MetadataTooLarge. */
export function objectHeadersOf(call: Pick<S3Call, 'request'>): ObjectHeaders {
  const { headers } = call.request;
  const own = Object.keys(headers)
    .filter((name) => name.startsWith(META))
    .map((name) => [name, headerOf(call, name) ?? ''] as const);
  const kept = KEPT.flatMap((name) => {
    const value = name === 'content-encoding' ? encodingOf(call) : headerOf(call, name);
    return value ? [[name, value] as const] : [];
  });
  const type = headerOf(call, TYPE) || NO_TYPE;
  const columns = { mimeType: essenceOf(type) ?? ANY_BYTES, charset: charsetOf(type) };
  const isSame = type === typeOf({ ...columns, metadata: {} });
  const sizeOf = (pairs: readonly (readonly [string, string])[]) =>
    pairs.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
  const ownSize = sizeOf(own) - own.length * META.length;
  if (ownSize > MOST || sizeOf(kept) + type.length > MOST) throw new S3Error('MetadataTooLarge');
  return { ...columns, metadata: Object.fromEntries([...own, ...kept, ...(isSame ? [] : [[TYPE, type]])]) };
}

/** How the bytes are encoded that are stored: chunks are only the way here. */
function encodingOf(call: Pick<S3Call, 'request'>): string | undefined {
  return headerOf(call, 'content-encoding')
    ?.split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== 'aws-chunked')
    .join(', ');
}

/** Headers that go with an object, but for its type. */
export function keptHeaders({ metadata }: Pick<FileRow, 'metadata'>): Record<string, string> {
  const { [TYPE]: _, ...headers } = metadata;
  return headers;
}

/** Throws InvalidTag, and BadRequest for too many. */
export function assertTags(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  if (pairs.length > MAX_TAGS) {
    throw new S3Error('BadRequest', { message: `An object can have at most ${MAX_TAGS} tags.` });
  }
  const { data: tags } = ObjectTags.safeParse(Object.fromEntries(pairs));
  if (!tags || Object.keys(tags).length !== pairs.length) throw new S3Error('InvalidTag');
  return tags;
}

/** The tags in a header. Throws InvalidTag. */
export function tagsIn(call: Pick<S3Call, 'request'>): Record<string, string> {
  return assertTags([...new URLSearchParams(headerOf(call, 'x-amz-tagging') ?? '')]);
}

/** Lists of whom S3 lets do what, as far as there is something like them here: whether anybody may read. */
const ACLS: Readonly<Record<string, boolean>> = {
  ...{ private: false, 'bucket-owner-full-control': false, 'bucket-owner-read': false, 'public-read': true },
};
const OTHER_ACLS = new Set([
  'public-read-write',
  'authenticated-read',
  'aws-exec-read',
  'log-delivery-write',
]);

/** Whether a request makes what it stores public; undefined where it says nothing of that. Throws NotImplemented. */
export function isPublicAcl(call: Pick<S3Call, 'request'>): boolean | undefined {
  const acl = headerOf(call, 'x-amz-acl');
  if (acl === undefined) return undefined;
  const isPublic = ACLS[acl];
  if (isPublic !== undefined) return isPublic;
  if (OTHER_ACLS.has(acl)) throw new S3Error('NotImplemented', { message: `There is no ACL ${acl} here.` });
  throw badArgument('x-amz-acl', 'x-amz-acl is none of the canned ACLs.');
}
