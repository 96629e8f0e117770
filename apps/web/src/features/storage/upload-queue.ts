import type { StoredFile } from '@nephos/contracts';
import { UPLOAD_PATH, uploadPartPath } from '@nephos/contracts/constants';
import { TRPCClientError } from '@trpc/client';
import { type CallError, sentenceOf, statusOf } from '../../lib/errors.ts';
import { sendBytes } from '../../lib/send-bytes.ts';
import type { trpc } from '../../lib/trpc.ts';
import { forgetUpload, keepUpload, keptUpload } from './kept-uploads.ts';
import { UNKNOWN_TYPE } from './unknown-type.ts';

/** Up to this many bytes a file goes to the console's bucket in one request. */
const IN_ONE = 8 * 1024 * 1024;
/** Files, and parts of one file, that are on their way at the same time. */
const FILES_AT_ONCE = 2;
const PARTS_AT_ONCE = 3;

type Client = ReturnType<typeof trpc.useUtils>['client'];

/** A file, and where it goes. */
export interface Wanted {
  file: File;
  /** Folder; begins and ends with a slash. */
  filePath: string;
  /** Absent, the console's bucket. */
  bucketId?: string | undefined;
}

export interface QueuedUpload extends Wanted {
  id: number;
  state: 'waiting' | 'sending' | 'paused' | 'failed' | 'done';
  /** Bytes that have left so far. */
  sent: number;
  /** One sentence; '' unless failed. */
  error: string;
}

/** Uploads of this tab, which go on while its person looks at other pages. */
export interface UploadQueue {
  subscribe: (listener: () => void) => () => void;
  /** The same array until something changes. */
  uploads: () => readonly QueuedUpload[];
  add: (wanted: readonly Wanted[]) => void;
  /** Ends what is under way; of a file in parts, those that have arrived are not sent again. */
  pause: (id: number) => void;
  /** Goes on with what is paused or failed. */
  resume: (id: number) => void;
  /** Gives up an upload, with what has arrived of it. */
  cancel: (id: number) => void;
  /** Leaves those that are done out. */
  clear: () => void;
}

/** `onStored` is told of each file that has arrived. */
export function createUploadQueue(client: Client, onStored: () => void): UploadQueue {
  let uploads: readonly QueuedUpload[] = [];
  let nextId = 1;
  const listeners = new Set<() => void>();
  const aborts = new Map<number, AbortController>();

  function put(changed: readonly QueuedUpload[]) {
    uploads = changed;
    for (const listener of listeners) listener();
  }

  function change(id: number, to: Partial<QueuedUpload>) {
    put(uploads.map((upload) => (upload.id === id ? { ...upload, ...to } : upload)));
  }

  function next() {
    const free = FILES_AT_ONCE - uploads.filter(({ state }) => state === 'sending').length;
    const waiting = uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(free, 0));
    for (const upload of waiting) void run(upload);
  }

  async function run(upload: QueuedUpload) {
    const { id } = upload;
    const abort = new AbortController();
    aborts.set(id, abort);
    change(id, { state: 'sending', error: '' });
    const isLarge = upload.file.size > IN_ONE || upload.bucketId !== undefined;
    const send = isLarge ? sendInParts : sendWhole;
    try {
      await send(client, upload, { signal: abort.signal, onSent: (sent) => change(id, { sent }) });
      change(id, { state: 'done', sent: upload.file.size });
      onStored();
    } catch (error) {
      if (!abort.signal.aborted) change(id, { state: 'failed', error: sentenceOfFailure(error) });
    } finally {
      if (aborts.get(id) === abort) aborts.delete(id);
      next();
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    uploads: () => uploads,
    add(wanted) {
      const added = wanted.map((one) => ({
        ...{ ...one, id: nextId++, sent: 0, error: '' },
        state: 'waiting' as const,
      }));
      put([...uploads, ...added]);
      next();
    },
    pause(id) {
      change(id, { state: 'paused' });
      aborts.get(id)?.abort();
    },
    resume(id) {
      change(id, { state: 'waiting', error: '' });
      next();
    },
    cancel(id) {
      const upload = uploads.find((one) => one.id === id);
      put(uploads.filter((one) => one.id !== id));
      aborts.get(id)?.abort();
      if (upload) void giveUp(client, upload);
      next();
    },
    clear: () => put(uploads.filter(({ state }) => state !== 'done')),
  };
}

function sentenceOfFailure(error: unknown): string {
  const fallback = 'The upload failed. Try again.';
  return error instanceof TRPCClientError ? sentenceOf(error as CallError, fallback) : fallback;
}

interface Going {
  signal: AbortSignal;
  onSent: (sent: number) => void;
}

/** Names that are taken are numbered: nobody is there to be asked about each of a hundred files. */
async function sendWhole(_: Client, { file, filePath }: Wanted, { signal, onSent }: Going): Promise<void> {
  const query = new URLSearchParams({ fileName: file.name, filePath, ifExists: 'rename' });
  await sendBytes<StoredFile>({
    ...{ url: `${UPLOAD_PATH}?${query}`, bytes: file, type: file.type || UNKNOWN_TYPE },
    ...{ signal, onProgress: onSent },
  });
}

/** Begins, or goes on with what has arrived of the very file; sends the parts that are missing; finishes. */
async function sendInParts(client: Client, wanted: Wanted, { signal, onSent }: Going): Promise<void> {
  const { file } = wanted;
  const begun = await begunBefore(client, wanted);
  if (begun === 'finished') return;
  const { id, partSize, arrived } = begun ?? (await begin(client, wanted));
  const count = Math.max(Math.ceil(file.size / partSize), 1);
  const bytesOf = (part: number) => file.slice((part - 1) * partSize, part * partSize);
  const sent = new Map(arrived.map((part) => [part, bytesOf(part).size]));
  const tell = () => onSent([...sent.values()].reduce((sum, bytes) => sum + bytes, 0));
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((part) => !sent.has(part));
  tell();
  // One that fails ends the others: they would fail as well, or be sent for nothing.
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  async function worker(): Promise<void> {
    for (let part = missing.shift(); part !== undefined; part = missing.shift()) {
      const number = part;
      await sendBytes({
        ...{ url: uploadPartPath(id, number), method: 'PUT', bytes: bytesOf(number), type: UNKNOWN_TYPE },
        ...{
          signal: either,
          onProgress(bytes) {
            sent.set(number, Math.min(bytes, bytesOf(number).size));
            tell();
          },
        },
      });
    }
  }
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, worker));
  } catch (error) {
    ended.abort();
    throw error;
  }
  await finish(client, id, wanted, signal);
  forgetUpload(wanted);
}

interface Begun {
  id: string;
  /** Bytes of each part but the last. */
  partSize: number;
  /** Numbers of the parts that have arrived whole. */
  arrived: readonly number[];
}

async function begunBefore(client: Client, wanted: Wanted): Promise<Begun | 'finished' | undefined> {
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

function finish(client: Client, id: string, { file: { size } }: Wanted, signal?: AbortSignal) {
  return client.storageUploads.complete.mutate({ id, size, ifExists: 'rename' }, signal && { signal });
}

async function begin(client: Client, wanted: Wanted): Promise<Begun> {
  const { file, filePath, bucketId } = wanted;
  const begun = await client.storageUploads.begin.mutate({
    ...{ fileName: file.name, filePath, size: file.size, mimeType: file.type, ifExists: 'rename' },
    ...(bucketId !== undefined && { bucketId }),
  });
  keepUpload(wanted, begun);
  return { ...begun, arrived: [] };
}

/** What the server does not hear of, it gives up by itself in seven days. */
async function giveUp(client: Client, wanted: Wanted): Promise<void> {
  const kept = keptUpload(wanted);
  if (!kept) return;
  forgetUpload(wanted);
  await client.storageUploads.abort.mutate({ id: kept.id }).catch(() => undefined);
}
