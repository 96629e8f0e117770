import type { IncomingHttpHeaders } from 'node:http';

/** What a representation is known by. */
export interface Validators {
  /** A strong entity tag, in its quotes. */
  etag: string;
  /** When it last changed; undefined where nobody knows. */
  modifiedAt?: Date;
}

/** Milliseconds of an HTTP date (RFC 9110 §5.6.7), which knows whole seconds; undefined for what is none. */
function dateOf(header: string | undefined): number | undefined {
  const time = header?.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function secondOf(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

function names(header: string, isSame: (tag: string) => boolean): boolean {
  const tags = header.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.some(isSame);
}

/**
 * What a `GET` or `HEAD` is to be answered by its conditions, in their order (RFC 9110 §13.2.2): 412 where it asks for
 * another representation, 304 where the client has this one.
 */
export function judge(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): 200 | 304 | 412 {
  const changed = modifiedAt && secondOf(modifiedAt);
  const isAfter = (time: number | undefined) => changed !== undefined && time !== undefined && changed > time;
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined) {
    if (!names(ifMatch, (tag) => tag === etag)) return 412;
  } else if (isAfter(dateOf(headers['if-unmodified-since']))) return 412;

  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) {
    return names(ifNoneMatch, (tag) => tag.replace(/^W\//, '') === etag) ? 304 : 200;
  }
  const since = dateOf(headers['if-modified-since']);
  return changed !== undefined && since !== undefined && changed <= since ? 304 : 200;
}

/** Whether a range may be sent: without `If-Range`, or where that names the very bytes it is a part of (§13.1.5). */
export function isRangeOfSame(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): boolean {
  const ifRange = headers['if-range'];
  if (ifRange === undefined || ifRange === etag) return true;
  return modifiedAt !== undefined && dateOf(String(ifRange)) === secondOf(modifiedAt);
}
