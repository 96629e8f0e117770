import { Pause, Play, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { formatSize } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Progress } from '../../ui/progress.tsx';
import type { QueuedUpload, UploadQueue } from './upload-queue.ts';

/** What is on its way, with what can be done about each. */
export function UploadsTray({ queue }: { queue: UploadQueue }) {
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads);
  const left = uploads.filter(({ state }) => state !== 'done').length;
  useLeaveWarning(uploads.some(({ state }) => state === 'sending' || state === 'waiting'));
  if (uploads.length === 0) return null;
  return (
    <section aria-label="Uploads" className="mb-5 rounded-xl border border-line bg-surface px-5 py-4">
      <header className="flex items-center justify-between gap-4">
        <p role="status" className="font-medium">
          {left === 0 ? 'All files uploaded' : `${left} of ${uploads.length} left to upload`}
        </p>
        {left < uploads.length && (
          <Button size="sm" onClick={queue.clear}>
            Clear finished
          </Button>
        )}
      </header>
      <ul className="mt-2 max-h-80 divide-y divide-line overflow-y-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  );
}

const WORDS: Readonly<Record<QueuedUpload['state'], string>> = {
  waiting: 'Waiting',
  sending: 'Uploading…',
  paused: 'Paused',
  failed: 'Failed',
  done: 'Uploaded',
};

function UploadRow({ upload, queue }: { upload: QueuedUpload; queue: UploadQueue }) {
  const { id, file, filePath, state, sent, error } = upload;
  const done = Math.min(sent, file.size);
  return (
    <li className="flex items-center gap-3 py-3">
      <div className="min-w-0 grow">
        <p className="truncate font-medium text-sm" title={`${filePath}${file.name}`}>
          {file.name}
        </p>
        {state !== 'done' && <Progress label={`Upload of ${file.name}`} value={done} max={file.size} />}
        <p className="mt-1 break-words text-muted text-sm">
          {error || WORDS[state]} · {formatSize(done)} of {formatSize(file.size)}
        </p>
      </div>
      {(state === 'sending' || state === 'waiting') && (
        <IconButton label={`Pause ${file.name}`} size="sm" onClick={() => queue.pause(id)}>
          <Pause aria-hidden="true" />
        </IconButton>
      )}
      {(state === 'paused' || state === 'failed') && (
        <IconButton label={`Resume ${file.name}`} size="sm" onClick={() => queue.resume(id)}>
          <Play aria-hidden="true" />
        </IconButton>
      )}
      {state !== 'done' && (
        <IconButton label={`Cancel ${file.name}`} size="sm" onClick={() => queue.cancel(id)}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </li>
  );
}

/** A tab that is closed ends its uploads: the browser asks first. */
function useLeaveWarning(busy: boolean) {
  useEffect(() => {
    if (!busy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [busy]);
}
