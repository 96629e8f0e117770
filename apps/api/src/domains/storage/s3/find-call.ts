import { CALLS, SUBRESOURCES } from './calls.ts';
import type { CallRow } from './s3-call.ts';
import { S3Error } from './s3-error.ts';

type Level = 'account' | 'bucket' | 'object';

function levelOf({ level }: CallRow): Level {
  return level === 'bucket-name' ? 'bucket' : level;
}

/** What the query of a deletion can have beside what names it: anything else may have meant a part of the thing. */
const OF_ANY_CALL = /^(versionId$|x-)/i;

function isUnclear(method: string, query: URLSearchParams): boolean {
  return (
    method === 'DELETE' &&
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
  if (isUnclear(method, query)) throw new S3Error('NotImplemented');
  if (row && (row.knowsVersions || version === null)) return row;
  if (row || named.length > 0 || copies || method === 'POST') throw new S3Error('NotImplemented');
  throw new S3Error('MethodNotAllowed');
}
