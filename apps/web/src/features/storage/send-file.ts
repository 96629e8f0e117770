import type { StoredFile } from '@nephos/contracts';
import { uploadPartPath } from '@nephos/contracts/constants';
import { TRPCClientError } from '@trpc/client';
import { type CallError, isServerAway, statusOf } from '../../lib/errors.ts';
import { sendBytes } from '../../lib/send-bytes.ts';
import type { trpc } from '../../lib/trpc.ts';
import { forgetUpload, keepUpload, keptUpload } from './kept-uploads.ts';
import { UNKNOWN_TYPE } from './unknown-type.ts';
import type { Wanted } from './upload-queue.ts';

/** Milliseconds in which a part comes through where the line has room for a further one beside it. */
const FAST = 2000;
/** Milliseconds before a request is sent again that nobody answered, or that came too soon after others. */
const PAUSES = [1000, 3000, 10_000, 20_000, 30_000];

export type UploadClient = ReturnType<typeof trpc.useUtils>['client'];

export interface Going {
  /** Ends what is under way. */
  signal: AbortSignal;
  /** Lets what is under way end, and begins nothing more. */
  pausing: AbortSignal;
  /** Whether the tab still shows the workspace that the file is for. */
  isHere: () => boolean;
  onSent: (sent: number) => void;
}

/** Begins, or goes on with what has arrived of the very file; sends the parts that are missing; finishes. */
export async function sendFile(client: UploadClient, wanted: Wanted, going: Going): Promise<void> {
  const { file } = wanted;
  const once = <T>(send: () => Promise<T>) => persist(going, send);
  const before = await once(() => begunBefore(client, wanted));
  if (before === 'finished') return;
  const { id, partSize, arrived } = before ?? (await once(() => begin(client, wanted)));
  const count = Math.max(Math.ceil(file.size / partSize), 1);
  const bytesOf = (part: number) => file.slice((part - 1) * partSize, part * partSize);
  const sent = new Map(arrived.map((part) => [part, bytesOf(part).size]));
  const tell = () => going.onSent([...sent.values()].reduce((sum, bytes) => sum + bytes, 0));
  tell();
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((part) => !sent.has(part));
  await sendParts(missing, going, async (part, signal) => {
    const bytes = bytesOf(part);
    function count(progress: number) {
      sent.set(part, Math.min(progress, bytes.size));
      tell();
    }
    try {
      await sendBytes({
        ...{ url: uploadPartPath(id, part), method: 'PUT', bytes, type: UNKNOWN_TYPE, signal },
        onProgress: count,
      });
    } catch (error) {
      // The server keeps whole parts alone.
      count(0);
      throw error;
    }
  });
  await once(() => finish(client, id, wanted));
  forgetUpload(wanted);
}

/** Whether a file has the lane for a further part: browsers open six connections, and the console needs some. */
let isFurtherTaken = false;

/**
 * One after the other, since what is under way is lost with a line or a page, and since each file then has a lane of its
 * own. Where parts come through fast, a further one goes beside them, of one file at a time.
 */
async function sendParts(
  parts: readonly number[],
  { signal: cancelled, pausing, isHere }: Going,
  send: (part: number, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  // One that fails ends the other: it would fail as well, or be sent for nothing.
  const ended = new AbortController();
  const signal = AbortSignal.any([cancelled, ended.signal]);
  const left = [...parts];
  async function sendOn(isFurther: boolean): Promise<void> {
    const part = pausing.aborted ? undefined : left.shift();
    if (part === undefined) return;
    const begun = performance.now();
    await persist({ signal, pausing, isHere }, () => send(part, signal));
    const isFast = performance.now() - begun < FAST;
    if (isFurther && !isFast) return;
    await (isFast && !isFurtherTaken ? Promise.all([sendOn(isFurther), sendFurther()]) : sendOn(isFurther));
  }
  async function sendFurther(): Promise<void> {
    isFurtherTaken = true;
    try {
      await sendOn(true);
    } finally {
      isFurtherTaken = false;
    }
  }
  try {
    await sendOn(false);
  } catch (error) {
    ended.abort();
    throw error;
  }
}

/** Sends, and where only the moment was wrong, a few times more. Nothing is sent once it is ended or pausing, or elsewhere. */
async function persist<T>(
  { signal, pausing, isHere }: Omit<Going, 'onSent'>,
  send: () => Promise<T>,
): Promise<T> {
  const stopped = AbortSignal.any([signal, pausing]);
  for (const pause of [...PAUSES, undefined]) {
    stopped.throwIfAborted();
    if (!isHere()) throw new Error('The tab shows another workspace.');
    try {
      return await send();
    } catch (error) {
      if (pause === undefined || stopped.aborted || !isPassing(error)) throw error;
      await passed(pause, stopped);
    }
  }
  throw new Error('unreachable');
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof TRPCClientError)) return false;
  const call = error as CallError;
  return statusOf(call) === 429 || (isServerAway(call) && call.data?.reason !== 'STORAGE_FULL');
}

function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

interface Begun {
  id: string;
  /** Bytes of each part but the last. */
  partSize: number;
  /** Numbers of the parts that have arrived whole. */
  arrived: readonly number[];
}

async function begunBefore(client: UploadClient, wanted: Wanted): Promise<Begun | 'finished' | undefined> {
  const kept = keptUpload(wanted);
  if (!kept) return undefined;
  try {
    const { parts } = await client.storageUploads.get.query({ id: kept.id });
    const { partSize } = kept;
    const sizeOf = (part: number) => Math.min(partSize, wanted.file.size - (part - 1) * partSize);
    const whole = parts.filter(({ partNumber, size }) => size === sizeOf(partNumber));
    return { ...kept, arrived: whole.map(({ partNumber }) => partNumber) };
  } catch (error) {
    if (!isGone(error)) throw error;
    // It may have been finished, and only the answer was lost: finished again, it says so.
    const finished = await finish(client, kept.id, wanted).catch((failure: unknown) => {
      if (!isGone(failure)) throw failure;
    });
    forgetUpload(wanted);
    return finished ? 'finished' : undefined;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof TRPCClientError && statusOf(error as CallError) === 404;
}

function finish(
  client: UploadClient,
  id: string,
  { file: { size }, ifExists = 'refuse' }: Wanted,
): Promise<StoredFile> {
  return client.storageUploads.complete.mutate({ id, size, ifExists });
}

/** Not ended half-way: what is begun has to be known, to go on with it or to give it up. */
async function begin(client: UploadClient, wanted: Wanted): Promise<Begun> {
  const { file, filePath, bucketId, ifExists = 'refuse' } = wanted;
  const begun = await client.storageUploads.begin.mutate({
    ...{ fileName: file.name, filePath, size: file.size, mimeType: file.type, ifExists },
    ...(bucketId !== undefined && { bucketId }),
  });
  keepUpload(wanted, begun);
  return { ...begun, arrived: [] };
}

/** What the server does not hear of, it gives up by itself in seven days. */
export async function giveUp(client: UploadClient, wanted: Wanted): Promise<void> {
  const kept = keptUpload(wanted);
  if (!kept) return;
  forgetUpload(wanted);
  await client.storageUploads.abort.mutate({ id: kept.id }).catch(() => undefined);
}
