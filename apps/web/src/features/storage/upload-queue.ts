import type { IfExists } from '@nephos/contracts';
import { TRPCClientError } from '@trpc/client';
import { type CallError, sentenceOf } from '../../lib/errors.ts';
import { isTaken } from './path-taken.tsx';
import { giveUp, sendFile, type UploadClient } from './send-file.ts';

/** Files that are on their way at the same time, each with a lane of its own. */
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
  /** `taken` asks what becomes of the file that is there already; `pausing` lets the parts under way end. */
  state: 'waiting' | 'sending' | 'pausing' | 'paused' | 'taken' | 'failed' | 'done';
  /** Bytes that have left so far; once nothing is under way, those that the server keeps. */
  sent: number;
  /** One sentence; '' unless failed or taken. */
  error: string;
}

/** States of what can be paused, and of what can go on. */
export const PAUSABLE: readonly QueuedUpload['state'][] = ['waiting', 'sending'];
export const RESUMABLE: readonly QueuedUpload['state'][] = ['pausing', 'paused', 'failed'];

/** Uploads of this tab, which go on while its person looks at other pages. */
export interface UploadQueue {
  subscribe: (listener: () => void) => () => void;
  /** The same array until something changes. */
  uploads: () => readonly QueuedUpload[];
  add: (wanted: readonly Wanted[]) => void;
  /** Lets the parts that are under way end, and begins no others. */
  pause: (id: number) => void;
  /** Goes on with what is pausing, paused or failed. */
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
  /** What ends each upload, and what pauses its latest run. */
  const controls = new Map<number, Record<'cancel' | 'pause', AbortController>>();
  /** What each upload is at, to its end: one that is resumed waits for that, one that is cancelled is given up after it. */
  const runs = new Map<number, Promise<void>>();
  const isUnderWay = ({ state }: QueuedUpload) => state === 'sending' || state === 'pausing';
  const isBusy = () => uploads.some((upload) => upload.state === 'waiting' || isUnderWay(upload));
  warnOfLeaving(isBusy);

  function put(changed: readonly QueuedUpload[]) {
    uploads = changed;
    for (const listener of listeners) listener();
  }

  function change(id: number, to: Partial<QueuedUpload>) {
    put(uploads.map((upload) => (upload.id === id ? { ...upload, ...to } : upload)));
  }

  const stateOf = (id: number) => uploads.find((upload) => upload.id === id)?.state;

  function next() {
    const free = FILES_AT_ONCE - uploads.filter(isUnderWay).length;
    const waiting = uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(free, 0));
    for (const upload of waiting) runs.set(upload.id, run(upload, runs.get(upload.id)));
  }

  async function run(upload: QueuedUpload, former: Promise<void> | undefined) {
    const { id } = upload;
    // Whoever cancels means what is left of former runs as well.
    const cancel = controls.get(id)?.cancel ?? new AbortController();
    const control = { cancel, pause: new AbortController() };
    const signals = { signal: cancel.signal, pausing: control.pause.signal };
    controls.set(id, control);
    change(id, { state: 'sending', error: '' });
    await former;
    try {
      // The former run may have come to the file's end before it could pause.
      if (stateOf(id) === 'done') return;
      await sendFile(client, upload, { ...signals, isHere, onSent: (sent) => change(id, { sent }) });
      change(id, { state: 'done', sent: upload.file.size });
    } catch (error) {
      // Of one that was resumed meanwhile, the run that goes on says what becomes, or the one that begins next.
      if (controls.get(id) !== control || stateOf(id) === 'waiting') return;
      if (signals.pausing.aborted || !isHere()) return change(id, { state: 'paused' });
      const state = isTaken(error) ? 'taken' : 'failed';
      change(id, { state, error: sentenceOfFailure(error) });
    } finally {
      next();
    }
  }

  function pause(id: number) {
    change(id, { state: stateOf(id) === 'sending' ? 'pausing' : 'paused' });
    controls.get(id)?.pause.abort();
  }

  function resume(id: number) {
    change(id, { state: 'waiting', error: '' });
    next();
  }

  const idsIn = (states: readonly QueuedUpload['state'][]) =>
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
      controls.get(id)?.cancel.abort();
      if (upload) void Promise.resolve(runs.get(id)).then(() => giveUp(client, upload));
      next();
    },
    pauseAll: () => idsIn(PAUSABLE).forEach(pause),
    resumeAll: () => idsIn(RESUMABLE).forEach(resume),
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
