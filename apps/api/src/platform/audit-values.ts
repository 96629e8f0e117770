/** Bytes of JSON that a record holds of each side of a change at most. */
const SIDE_MAX = 2000;
const TEXT_MAX = 200;
const LIST_MAX = 20;
const DEEPEST = 4;

/** Stands for a text that is not told: it may be a secret, somebody's words, or a file. */
const UNTOLD = '(not recorded)';

/**
 * Fields whose texts a record tells. What is not named here is not told, so a new field for a secret is none that was
 * forgotten; ids are told as well. Numbers and choices of yes or no are always.
 */
const TOLD = new Set(
  `accountName accountNumber action address bankCode bankName branch branches builder bundleId commit currency cause
  deploymentMethod description digest dockerTarget dockerfile domain email endsAt expiresAt fileName filePath firstName framework from
  healthPath host id ifExists image imageUsername lastName mimeType mode name names nodeVersion outputDirectory path paths
  planTier platform publicUrl receiverAccountName receiverAccountNumber receiverBankName recordType records region repositoryUrl
  repositoryUsername resourceScope role rootDirectory schedule signups scope senderAccountName senderAccountNumber
  senderBankName status tag tags template timeZone title type userAgent version`.split(/\s+/),
);

function isTold(field: string): boolean {
  return TOLD.has(field) || /[a-z]Ids?$/.test(field);
}

/** As PostgreSQL keeps text in JSON: no NUL, no half of a pair of UTF-16. */
export function storable(text: string, most = TEXT_MAX): string {
  const clean = text.toWellFormed().replaceAll('\0', '\uFFFD');
  return clean.length > most ? `${clean.slice(0, most - 1).toWellFormed()}…` : clean;
}

/**
 * What is told of a text with web addresses in it: their hosts alone, since people are let in by what comes before or after
 * that, as at incoming webhooks.
 */
function withoutPaths(text: string): string {
  if (isWebAddress(text)) return shownAddress(text);
  return text.replace(/https?:\S+/gi, shownAddress);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function shownAddress(address: string): string {
  if (!URL.canParse(address)) return UNTOLD;
  const { origin, pathname, search, hash } = new URL(address);
  return pathname + search + hash === '/' ? origin : `${origin}/…`;
}

function told(value: unknown, field: string, depth: number): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string')
    return value === '' ? '' : isTold(field) ? storable(withoutPaths(value)) : UNTOLD;
  if (typeof value !== 'object' || depth === 0) return UNTOLD;
  if (Array.isArray(value)) {
    const first = value.slice(0, LIST_MAX).map((one) => told(one, field, depth - 1));
    return value.length > LIST_MAX ? [...first, { more: value.length - LIST_MAX }] : first;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .slice(0, 2 * LIST_MAX)
      .map(([key, inner]) => [storable(key), told(inner, key, depth - 1)]),
  );
}

/** One side of a change as a record has it: without secrets, 2 kB of JSON at most; null where there is nothing to tell. */
export function toldOf(side: object | null | undefined): string | null {
  if (!side) return null;
  const json = JSON.stringify(told(side, '', DEEPEST));
  if (json === '{}') return null;
  if (Buffer.byteLength(json) <= SIDE_MAX) return json;
  const fields = Object.keys(side)
    .slice(0, LIST_MAX)
    .map((key) => storable(key, 40));
  return JSON.stringify({ tooLong: true, fields });
}
