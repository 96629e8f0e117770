import { CALLS, SUBRESOURCES } from './calls.ts';
import type { CallRow } from './s3-call.ts';
import { S3Error } from './s3-error.ts';

type Level = 'account' | 'bucket' | 'object';

function levelOf({ level }: CallRow): Level {
  return level === 'bucket-name' ? 'bucket' : level;
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
  if (row && (row.knowsVersions || version === null)) return row;
  if (row || named.length > 0 || copies || method === 'POST') throw new S3Error('NotImplemented');
  throw new S3Error('MethodNotAllowed');
}
