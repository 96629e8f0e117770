import { isPreviewable } from '@nephos/contracts';

const ESSENCE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;

export const ANY_BYTES = 'application/octet-stream';

/** Types that no browser runs as a page or script of ours, even where it is told to show them. */
const SAFE = new Set([
  'application/gzip',
  'application/json',
  'application/pdf',
  'application/zip',
  'text/csv',
]);

/** `type/subtype` of a media type (RFC 9110 §8.3.1), lower case and without parameters; undefined if it is none. */
export function essenceOf(mediaType: string): string | undefined {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return ESSENCE.test(essence) ? essence : undefined;
}

/** The charset that a media type of a text names (RFC 9110 §8.3.2), lower case; null for anything else. */
export function charsetOf(mediaType: string): string | null {
  if (!essenceOf(mediaType)?.startsWith('text/')) return null;
  const [, , charset] = /;\s*charset=("?)([a-z0-9_.:-]{1,40})\1\s*(?:;|$)/i.exec(mediaType) ?? [];
  return charset?.toLowerCase() ?? null;
}

/** The `Content-Type` that a file of this type is sent with: its own if that is harmless. */
export function servedType(mimeType: string, charset: string | null): string {
  if (!isPreviewable(mimeType) && !SAFE.has(mimeType)) return ANY_BYTES;
  const named = charset ?? (mimeType === 'text/plain' ? 'utf-8' : null);
  return named === null ? mimeType : `${mimeType}; charset=${named}`;
}
