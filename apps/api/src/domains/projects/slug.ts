import { createHash, randomInt } from 'node:crypto';

const MAX_LENGTH = 40;
const SUFFIX_DIGITS = 'abcdefghijkmnpqrstuvwxyz23456789';
const FALLBACK = 'app';
const DIGEST_DIGITS = 6;

/** Host names that people would take for the platform's own. */
const RESERVED = new Set(
  (
    'admin api assets auth billing blog cdn console dashboard docs ftp git help imap localhost login mail ' +
    'mcp ns1 ns2 pop registry s3 smtp static status storage support www'
  ).split(' '),
);

/**
 * The host names to try for a project, best first: its name as a label of letters, digits and hyphens (RFC 1123) of
 * at most 40 characters, then the same with ever longer random ends. Never reserved, and never an A-label.
 */
export function* slugsFor(name: string): Generator<string> {
  const base = labelOf(name) || FALLBACK;
  if (!RESERVED.has(base)) yield base;
  yield* withRandomEnds(base);
}

/**
 * The host names to try for a preview of a branch: the project's and the branch's, and a digest of the branch where that
 * is too long or leaves something out.
 */
export function* previewSlugsFor(projectSlug: string, branch: string): Generator<string> {
  const whole = `${projectSlug}-${branch}`;
  if (labelOf(whole) === whole) yield whole;
  const digest = createHash('sha256').update(branch).digest('hex').slice(0, DIGEST_DIGITS);
  yield withEnd(labelOf(whole), digest);
  yield* withRandomEnds(labelOf(whole));
}

function* withRandomEnds(base: string): Generator<string> {
  for (let length = 4; length <= 8; length += 1) yield withEnd(base, randomEnd(length));
}

function withEnd(base: string, end: string): string {
  return `${trimHyphens(base.slice(0, MAX_LENGTH - end.length - 1))}-${end}`;
}

/** What of a name can be a label of at most `maxLength` letters, digits and hyphens (RFC 1123); may be ''. */
export function labelOf(name: string, maxLength = MAX_LENGTH): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return trimHyphens(ascii.replace(/[^a-z0-9]+/g, '-').slice(0, maxLength + 1))
    .slice(0, maxLength)
    .replace(/-$/, '');
}

function trimHyphens(text: string): string {
  return text.replace(/^-+|-+$/g, '');
}

function randomEnd(length: number): string {
  return Array.from({ length }, () => SUFFIX_DIGITS[randomInt(SUFFIX_DIGITS.length)]).join('');
}
