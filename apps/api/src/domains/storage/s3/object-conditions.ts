import type { IncomingHttpHeaders } from 'node:http';
import { isRangeOfSame, judge, type Validators } from '../../../http/preconditions.ts';
import type { FileRow } from '../service.ts';
import { S3Error } from './s3-error.ts';

type Row = Pick<FileRow, 'etag' | 'uploadedAt'>;

/** S3 clients leave out an entity tag's quotes at times. */
function quoted(tags: string | undefined): string | undefined {
  return tags
    ?.split(',')
    .map((tag) => tag.trim())
    .map((tag) => (tag === '*' || tag.includes('"') ? tag : `"${tag}"`))
    .join(',');
}

function validatorsOf({ etag, uploadedAt }: Row): Validators {
  return { etag: `"${etag}"`, modifiedAt: new Date(uploadedAt) };
}

/** The conditions of a request, whose headers begin with `prefix`, as everybody writes them. */
function conditionsIn(headers: IncomingHttpHeaders, prefix: string): IncomingHttpHeaders {
  const named = (name: string) => {
    const value = headers[prefix + name];
    return typeof value === 'string' ? value : undefined;
  };
  const [match, noneMatch] = [quoted(named('if-match')), quoted(named('if-none-match'))];
  const [since, until] = [named('if-modified-since'), named('if-unmodified-since')];
  return {
    ...(match !== undefined && { 'if-match': match }),
    ...(noneMatch !== undefined && { 'if-none-match': noneMatch }),
    ...(since !== undefined && { 'if-modified-since': since }),
    ...(until !== undefined && { 'if-unmodified-since': until }),
  };
}

/** Whether the client has what it reads. Throws PreconditionFailed. */
export function isKnown(headers: IncomingHttpHeaders, row: Row): boolean {
  const verdict = judge(conditionsIn(headers, ''), validatorsOf(row));
  if (verdict === 412) throw new S3Error('PreconditionFailed');
  return verdict === 304;
}

/** Whether a range may be sent, and not all of it, since that has changed. */
export function isSameAsRanged(headers: IncomingHttpHeaders, row: Row): boolean {
  return isRangeOfSame(headers, validatorsOf(row));
}

/** Throws PreconditionFailed where what is to be copied is not what the request says. */
export function assertSource(headers: IncomingHttpHeaders, row: Row): void {
  const conditions = conditionsIn(headers, 'x-amz-copy-source-');
  if (judge(conditions, validatorsOf(row)) !== 200) throw new S3Error('PreconditionFailed');
}

/** What a write expects where it goes. */
export interface WriteConditions {
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

/** Throws NotImplemented for an `If-None-Match` other than `*`, as S3 does. */
export function writeConditionsOf({ headers }: { headers: IncomingHttpHeaders }): WriteConditions {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') throw new S3Error('NotImplemented');
  return { ifMatch: quoted(headers['if-match']), ifNoneMatch };
}

/** Throws PreconditionFailed, and NoSuchKey where something is expected and nothing there. */
export function assertWrite({ ifMatch, ifNoneMatch }: WriteConditions, existing: Row | undefined): void {
  if (ifNoneMatch !== undefined && existing) throw new S3Error('PreconditionFailed');
  if (ifMatch === undefined) return;
  if (!existing) throw new S3Error('NoSuchKey');
  if (judge({ 'if-match': ifMatch }, validatorsOf(existing)) !== 200) throw new S3Error('PreconditionFailed');
}

/** Whether a write has any. */
export function isConditional({ ifMatch, ifNoneMatch }: WriteConditions): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined;
}
