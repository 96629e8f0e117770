import type { StoredFile } from '@nephos/contracts';
import { uploadPartPath } from '@nephos/contracts/constants';
import { TRPCClientError } from '@trpc/client';
import { type CallError, isServerAway, statusOf } from '../../lib/errors.ts';
import { sendBytes } from '../../lib/send-bytes.ts';
import type { trpc } from '../../lib/trpc.ts';
import { forgetUpload, keepUpload, keptUpload } from './kept-uploads.ts';
import { UNKNOWN_TYPE } from './unknown-type.ts';
import type { Wanted } from './upload-queue.ts';

/** Parts of all files that are on their way at the same time: browsers open six connections, and the console needs some. */
const PARTS_AT_ONCE = 4;
/** Milliseconds before a request is sent again that nobody answered, or that came too soon after others. */
const PAUSES = [1000, 3000, 10_000, 20_000, 30_000];

export type UploadClient = ReturnType<typeof trpc.useUtils>['client'];

export interface Going {
  signal: AbortSignal;
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
  await sendParts(missing, going, (part, signal) =>
    sendBytes({
      ...{ url: uploadPartPath(id, part), method: 'PUT', bytes: bytesOf(part), type: UNKNOWN_TYPE, signal },
      onProgress(bytes) {
        sent.set(part, Math.min(bytes, bytesOf(part).size));
        tell();
      },
    }),
  );
  await once(() => finish(client, id, wanted));
  forgetUpload(wanted);
}

async function sendParts(
  parts: readonly number[],
  going: Going,
  send: (part: number, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  // One that fails ends the others: they would fail as well, or be sent for nothing.
  const ended = new AbortController();
  const signal = AbortSignal.any([going.signal, ended.signal]);
  const left = [...parts];
  async function worker(): Promise<void> {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      const number = part;
      await inTurn(() => persist({ ...going, signal }, () => send(number, signal)));
    }
  }
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, worker));
  } catch (error) {
    ended.abort();
    throw error;
  }
}

let underWay = 0;
const turns: (() => void)[] = [];

/** Lets `PARTS_AT_ONCE` of all files be sent at a time, those first that came first. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= PARTS_AT_ONCE) await new Promise<void>((begin) => turns.push(begin));
  underWay += 1;
  try {
    return await work();
  } finally {
    underWay -= 1;
    turns.shift()?.();
  }
}

/** Sends, and where only the moment was wrong, a few times more. Nothing is sent once it is ended, or elsewhere. */
async function persist<T>({ signal, isHere }: Omit<Going, 'onSent'>, send: () => Promise<T>): Promise<T> {
  for (const pause of [...PAUSES, undefined]) {
    signal.throwIfAborted();
    if (!isHere()) throw new Error('The tab shows another workspace.');
    try {
      return await send();
    } catch (error) {
      if (pause === undefined || signal.aborted || !isPassing(error)) throw error;
      await passed(pause, signal);
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
