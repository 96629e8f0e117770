import { IMAGE_TAG, REPOSITORY_NAME, REPOSITORY_NAME_MAX } from '@nephos/contracts';
import type { ExpectedDigest } from '../../../platform/object-store/object-store.ts';
import { parseDigest } from './digest.ts';
import { badRequest, digestInvalid, manifestUnknown, nameUnknown } from './registry-error.ts';

/** A tag or a digest, as a manifest is named. */
export type Reference = { tag: string } | { digest: string; expected: ExpectedDigest };

/** What an address below `/v2/` names, OCI distribution spec 1.1 "Endpoints". */
export type Address = { name: string } & (
  | { kind: 'uploads' }
  | { kind: 'upload'; uploadId: string }
  | { kind: 'blob'; digest: string; expected: ExpectedDigest }
  | { kind: 'manifest'; reference: Reference }
  | { kind: 'tags' }
  | { kind: 'referrers'; digest: string }
);

const SHAPES = [
  ['uploads', /^(.+)\/blobs\/uploads\/?$/],
  ['upload', /^(.+)\/blobs\/uploads\/([^/]+)$/],
  ['blob', /^(.+)\/blobs\/([^/]+)$/],
  ['manifest', /^(.+)\/manifests\/([^/]+)$/],
  ['tags', /^(.+)\/tags\/list$/],
  ['referrers', /^(.+)\/referrers\/([^/]+)$/],
] as const;

/** Throws NAME_INVALID for what is no repository's name, or one that is too long. */
export function assertName(name: string): void {
  if (name.length <= REPOSITORY_NAME_MAX && REPOSITORY_NAME.test(name)) return;
  const message = `Names use lowercase letters and digits, with single . _ or - between them and / between parts, and have at most ${REPOSITORY_NAME_MAX} characters.`;
  throw badRequest('NAME_INVALID', message);
}

/** Throws DIGEST_INVALID. */
export function readDigest(text: string): ExpectedDigest {
  const expected = parseDigest(text);
  if (!expected) throw digestInvalid(text);
  return expected;
}

/** Throws DIGEST_INVALID for what looks like a digest, 404 for what can be no tag. */
function readReference(text: string): Reference {
  if (text.includes(':')) return { digest: text, expected: readDigest(text) };
  if (!IMAGE_TAG.test(text)) throw manifestUnknown(text);
  return { tag: text };
}

/** Percent-decoded, for clients that escape the colon of a digest; what cannot be decoded names nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads the part of a request's path behind `/v2/`. Throws the refusal of a name, digest or tag that is none. */
export function readAddress(path: string): Address {
  for (const [kind, shape] of SHAPES) {
    const match = shape.exec(path);
    if (!match) continue;
    const [, name = '', last = ''] = match;
    assertName(name);
    const text = decoded(last);
    if (kind === 'uploads' || kind === 'tags') return { name, kind };
    if (kind === 'upload') return { name, kind, uploadId: text };
    if (kind === 'manifest') return { name, kind, reference: readReference(text) };
    const expected = readDigest(text);
    return kind === 'blob' ? { name, kind, digest: text, expected } : { name, kind, digest: text };
  }
  throw nameUnknown(path);
}
