import { Pause, Play, X } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
import { PAUSABLE, type QueuedUpload, RESUMABLE, type UploadQueue, type Wanted } from './upload-queue.ts';

interface UploadsProps {
  uploads: readonly QueuedUpload[];
  queue: UploadQueue;
}

interface UploadsTrayProps {
  /** Undefined while nothing was added in this tab. */
  queue: UploadQueue | undefined;
  onFile: (wanted: Wanted) => void;
}

const NONE: readonly QueuedUpload[] = [];

/** What is on its way, and what was before the page was loaded. */
export function UploadsTray({ queue, onFile }: UploadsTrayProps) {
  const uploads = useSyncExternalStore(queue?.subscribe ?? (() => () => {}), queue?.uploads ?? (() => NONE));
  const { storage } = trpc.useUtils();
  const stored = uploads.filter(({ state }) => state === 'done').length;
  // What was stored before one came to the page is in its lists.
  const listed = useRef(stored);
  useEffect(() => {
    if (stored === listed.current) return;
    listed.current = stored;
    void storage.list.invalidate();
    void storage.subfolders.invalidate();
  }, [storage, stored]);
  return (
    <>
      {queue && uploads.length > 0 && <Uploads queue={queue} uploads={uploads} />}
      <UnfinishedUploads queued={uploads} onFile={onFile} />
    </>
  );
}

/** What is on its way, with what can be done about each. */
function Uploads({ queue, uploads }: UploadsProps) {
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0);
  const sent = uploads.reduce((sum, upload) => sum + sentOf(upload), 0);
  const left = uploads.filter(({ state }) => state !== 'done').length;
  return (
    <section aria-label="Uploads" className="mb-5 rounded-xl border border-line bg-surface px-5 py-4">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-medium">
          <span role="status">
            {left === 0 ? 'All files uploaded' : `${left} of ${uploads.length} left to upload`}
          </span>
          {left > 0 && (
            <span className="ml-2 font-normal text-muted text-sm">
              {formatSize(sent)} of {formatSize(total)}
            </span>
          )}
        </p>
        <TrayActions uploads={uploads} queue={queue} />
      </header>
      <ul className="mt-2 max-h-80 divide-y divide-line overflow-y-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  );
}

/** A few more than the file has may have left, for the request's own. */
function sentOf({ sent, file }: QueuedUpload): number {
  return Math.min(sent, file.size);
}

function TrayActions({ uploads, queue }: UploadsProps) {
  const has = (states: readonly QueuedUpload['state'][]) =>
    uploads.some(({ state }) => states.includes(state));
  const taken = uploads.flatMap(({ id, state }) => (state === 'taken' ? [id] : []));
  return (
    <div className="flex flex-wrap gap-2">
      {uploads.length > 1 && has(PAUSABLE) && (
        <Button size="sm" onClick={queue.pauseAll}>
          Pause all
        </Button>
      )}
      {uploads.length > 1 && has(RESUMABLE) && (
        <Button size="sm" onClick={queue.resumeAll}>
          Resume all
        </Button>
      )}
      {taken.length > 1 && <Decision ids={taken} queue={queue} what="all" />}
      {has(['done']) && (
        <Button size="sm" onClick={queue.clear}>
          Clear finished
        </Button>
      )}
    </div>
  );
}

interface DecisionProps {
  ids: readonly number[];
  queue: UploadQueue;
  /** Of which files: their name, or all. */
  what: string;
}

/** What becomes of files that are there already. */
function Decision({ ids, queue, what }: DecisionProps) {
  const all = what === 'all' ? ' all' : '';
  return (
    <>
      <Button size="sm" aria-label={`Replace ${what}`} onClick={() => queue.decide(ids, 'replace')}>
        Replace{all}
      </Button>
      <Button size="sm" aria-label={`Keep both of ${what}`} onClick={() => queue.decide(ids, 'rename')}>
        Keep both{all && ' of all'}
      </Button>
    </>
  );
}

const WORDS = {
  waiting: 'Waiting',
  sending: 'Uploading…',
  pausing: 'Pausing…',
  paused: 'Paused',
  failed: 'Failed',
  done: 'Uploaded',
} as const satisfies Partial<Record<QueuedUpload['state'], string>>;

function saidOf(upload: QueuedUpload): string {
  const { file, filePath, state, error } = upload;
  if (state === 'taken') return `Already in ${filePath}`;
  if (error !== '') return error;
  const size = formatSize(file.size);
  return `${WORDS[state]} · ${state === 'done' ? size : `${formatSize(sentOf(upload))} of ${size}`}`;
}

function UploadRow({ upload, queue }: { upload: QueuedUpload; queue: UploadQueue }) {
  const { file, filePath, state } = upload;
  const isDone = state === 'done';
  return (
    <li className={`flex flex-wrap items-center gap-x-3 gap-y-2 ${isDone ? 'py-2' : 'py-3'}`}>
      <div className={`min-w-0 grow basis-40 ${isDone ? 'flex flex-wrap gap-x-3' : ''}`}>
        <p className="min-w-0 truncate font-medium text-sm" title={`${filePath}${file.name}`}>
          {file.name}
        </p>
        {!isDone && state !== 'taken' && (
          <Progress label={`Upload of ${file.name}`} value={sentOf(upload)} max={file.size} />
        )}
        <p className={`break-words text-muted text-sm ${isDone ? '' : 'mt-1'}`}>{saidOf(upload)}</p>
      </div>
      <RowActions upload={upload} queue={queue} />
    </li>
  );
}

function RowActions({ upload: { id, file, state }, queue }: { upload: QueuedUpload; queue: UploadQueue }) {
  if (state === 'done') return null;
  return (
    <div className="flex items-center gap-2">
      {PAUSABLE.includes(state) && (
        <IconButton label={`Pause ${file.name}`} size="sm" onClick={() => queue.pause(id)}>
          <Pause aria-hidden="true" />
        </IconButton>
      )}
      {RESUMABLE.includes(state) && (
        <IconButton label={`Resume ${file.name}`} size="sm" onClick={() => queue.resume(id)}>
          <Play aria-hidden="true" />
        </IconButton>
      )}
      {state === 'taken' && <Decision ids={[id]} queue={queue} what={file.name} />}
      <IconButton label={`Cancel ${file.name}`} size="sm" onClick={() => queue.cancel(id)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
