import { CALLS, SUBRESOURCES } from './calls.ts';
import type { CallRow } from './s3-call.ts';
import { S3Error } from './s3-error.ts';

type Level = 'account' | 'bucket' | 'object';

function levelOf({ level }: CallRow): Level {
  return level === 'bucket-name' ? 'bucket' : level;
}

/** What the query of any call can have beside what names it. */
const OF_ANY_CALL = /^(versionId$|x-)/i;

/** Whether something in the query may have meant a part of what would be deleted, or of the bucket that would be made. */
function isUnclear(method: string, level: Level, query: URLSearchParams): boolean {
  return (
    (method === 'DELETE' || (method === 'PUT' && level === 'bucket')) &&
    [...query.keys()].some((name) => !SUBRESOURCES.has(name) && !OF_ANY_CALL.test(name))
  );
}

/** The row for a request. Throws NotImplemented for what this server does not do, and MethodNotAllowed. */
export function findCall({
  method,
  level,
  query,
  copies,
}: {
  method: string;
  level: Level;
  query: URLSearchParams;
  copies: boolean;
}): CallRow {
  const named = [...query.keys()].filter((name) => SUBRESOURCES.has(name));
  const row = CALLS.find(
    (one) =>
      one.method === method &&
      levelOf(one) === level &&
      (one.copies ?? false) === copies &&
      (one.query === undefined ? named.length === 0 : named.includes(one.query)),
  );
  const version = query.get('versionId');
  if (isUnclear(method, level, query)) throw new S3Error('NotImplemented');
  if (row && (row.knowsVersions || version === null)) return row;
  if (row || named.length > 0 || copies || method === 'POST') throw new S3Error('NotImplemented');
  throw new S3Error('MethodNotAllowed');
}
