import type { IfExists } from '@nephos/contracts';
import { TRPCClientError } from '@trpc/client';
import { type CallError, sentenceOf } from '../../lib/errors.ts';
import { isTaken } from './path-taken.tsx';
import { giveUp, sendFile, type UploadClient } from './send-file.ts';

/** Files that are on their way at the same time. */
const FILES_AT_ONCE = 3;

/** A file, and where it goes. */
export interface Wanted {
  file: File;
  /** Folder; begins and ends with a slash. */
  filePath: string;
  /** Absent, the console's bucket. */
  bucketId?: string | undefined;
  /** What becomes of a file that is there; absent, its person is asked. */
  ifExists?: IfExists;
}

export interface QueuedUpload extends Wanted {
  id: number;
  /** `taken` asks what becomes of the file that is there already. */
  state: 'waiting' | 'sending' | 'paused' | 'taken' | 'failed' | 'done';
  /** Bytes that have left so far. */
  sent: number;
  /** One sentence; '' unless failed or taken. */
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
  /** Says what becomes of the files that are there already, and goes on with these uploads. */
  decide: (ids: readonly number[], ifExists: IfExists) => void;
  /** Gives up an upload, with what has arrived of it. */
  cancel: (id: number) => void;
  pauseAll: () => void;
  resumeAll: () => void;
  /** Leaves those that are done out. */
  clear: () => void;
}

interface QueueOptions {
  client: UploadClient;
  /** Whether the tab still shows the workspace that the files are for; where not, what is under way is paused. */
  isHere: () => boolean;
}

export function createUploadQueue({ client, isHere }: QueueOptions): UploadQueue {
  let uploads: readonly QueuedUpload[] = [];
  let nextId = 1;
  const listeners = new Set<() => void>();
  const aborts = new Map<number, AbortController>();
  /** What each upload is at, to its end: one that is resumed waits for that, one that is cancelled is given up after it. */
  const runs = new Map<number, Promise<void>>();
  const isBusy = () => uploads.some(({ state }) => state === 'sending' || state === 'waiting');
  warnOfLeaving(isBusy);

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
    for (const upload of waiting) runs.set(upload.id, run(upload, runs.get(upload.id)));
  }

  async function run(upload: QueuedUpload, former: Promise<void> | undefined) {
    const { id } = upload;
    const abort = new AbortController();
    const { signal } = abort;
    aborts.set(id, abort);
    change(id, { state: 'sending', error: '' });
    await former;
    try {
      await sendFile(client, upload, { signal, isHere, onSent: (sent) => change(id, { sent }) });
      change(id, { state: 'done', sent: upload.file.size });
    } catch (error) {
      if (!signal.aborted && !isHere()) change(id, { state: 'paused' });
      else if (!signal.aborted) {
        const state = isTaken(error) ? 'taken' : 'failed';
        change(id, { state, error: sentenceOfFailure(error) });
      }
    }
    next();
  }

  function pause(id: number) {
    change(id, { state: 'paused' });
    aborts.get(id)?.abort();
  }

  function resume(id: number) {
    change(id, { state: 'waiting', error: '' });
    next();
  }

  const idsIn = (...states: QueuedUpload['state'][]) =>
    uploads.filter(({ state }) => states.includes(state)).map(({ id }) => id);

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
    pause,
    resume,
    decide(ids, ifExists) {
      for (const id of ids) change(id, { state: 'waiting', error: '', ifExists });
      next();
    },
    cancel(id) {
      const upload = uploads.find((one) => one.id === id);
      put(uploads.filter((one) => one.id !== id));
      aborts.get(id)?.abort();
      if (upload) void Promise.resolve(runs.get(id)).then(() => giveUp(client, upload));
      next();
    },
    pauseAll: () => idsIn('waiting', 'sending').forEach(pause),
    resumeAll: () => idsIn('paused', 'failed').forEach(resume),
    clear: () => put(uploads.filter(({ state }) => state !== 'done')),
  };
}

function sentenceOfFailure(error: unknown): string {
  const fallback = 'The upload failed. Try again.';
  return error instanceof TRPCClientError ? sentenceOf(error as CallError, fallback) : fallback;
}

/** A tab that is closed ends its uploads, whatever page it shows: the browser asks first. */
function warnOfLeaving(isBusy: () => boolean): void {
  window.addEventListener('beforeunload', (event) => {
    if (isBusy()) event.preventDefault();
  });
}
