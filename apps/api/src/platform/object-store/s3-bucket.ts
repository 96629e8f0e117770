import type { S3 } from '@aws-sdk/client-s3';
import { storageFull, unavailableSince } from '../../core/errors.ts';
import { type S3Settings, SettingError } from '../../core/settings.ts';

/** Milliseconds. An answer that begins may then take as long as its reader does. */
const CONNECT_MS = 3000;
const ANSWER_MS = 120_000;
/** Answers that are read at the same time: each holds a connection for as long as somebody downloads. */
const MAX_CONNECTIONS = 1000;

/** One bucket, and how to ask for what is in it. */
export interface S3Bucket {
  name: string;
  /** Does one call; whatever it fails with is ours afterwards: 503 STORAGE_FULL or UNAVAILABLE. */
  ask<T>(call: (s3: S3) => Promise<T>): Promise<T>;
  /** The same, and undefined where there is no such object, or no such upload. */
  askFor<T>(call: (s3: S3) => Promise<T>): Promise<T | undefined>;
}

/** Opens a bucket without asking for it: a server that is away now may come back. */
export async function openBucket(settings: S3Settings): Promise<S3Bucket> {
  // Only who has a bucket pays for it: half a second and 30 MB.
  const { S3 } = await import('@aws-sdk/client-s3');
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, pathStyle } = settings;
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const s3 = new S3({
    region,
    ...(endpoint && { endpoint: endpoint.href }),
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: pathStyle,
    // Bodies are signed with their digest; not every server knows the checksums that would come on top.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      ...{ connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
      // Whoever reads an answer slowly leaves its connection idle.
      ...{ socketTimeout: 0, httpAgent: agent, httpsAgent: agent },
    },
  });
  return {
    name: bucket,
    async ask(call) {
      try {
        return await call(s3);
      } catch (error) {
        throw meaningOf(error);
      }
    },
    async askFor(call) {
      try {
        return await call(s3);
      } catch (error) {
        if (MISSING.has(nameOf(error))) return undefined;
        throw meaningOf(error);
      }
    },
  };
}

/** Throws `SettingError`, naming these, where the settings cannot be used; a server that is away is let pass. */
export async function assertUsable(
  { ask, name }: S3Bucket,
  settings = { bucket: 'S3_BUCKET', key: 'S3_ACCESS_KEY_ID' },
): Promise<void> {
  const status = await ask((s3) =>
    s3.headBucket({ Bucket: name }).then(
      () => 200,
      (error: unknown) => statusOf(error),
    ),
  );
  if (status === 404) throw new SettingError(`${settings.bucket} ${name} doesn't exist`);
  if (status === 401 || status === 403) {
    throw new SettingError(`${settings.key} isn't allowed to use the bucket ${name}`);
  }
}

const MISSING = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);
/** What several servers call it when there is no room: the protocol has no name for that. */
const FULL = /StorageFull|QuotaExceeded|InsufficientStorage|InsufficientCapacity/;

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** The status that the server answered; undefined where none came. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number };
  return httpStatusCode;
}

/** What a server says of itself may tell of keys and signatures, so the log has its name and status alone. */
function meaningOf(error: unknown): Error {
  const status = statusOf(error);
  if (status === 507 || FULL.test(nameOf(error))) return storageFull();
  if (status !== undefined) return unavailableSince(`S3 answered ${status} ${nameOf(error)}`);
  return unavailableSince(error instanceof Error ? error : String(error));
}
