import type { StoredFileUpload } from '@nephos/contracts';
import { type ChangeEvent, useRef, useState } from 'react';
import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { type BegunUpload, begunUploads } from './kept-uploads.ts';
import type { Wanted } from './upload-queue.ts';

interface UnfinishedUploadsProps {
  /** What is in this tab's queue. */
  queued: readonly Wanted[];
  onFile: (wanted: Wanted) => void;
}

/** What was begun in this browser, and ended by a reload: a page gets a file again only from who chooses it. */
export function UnfinishedUploads({ queued, onFile }: UnfinishedUploadsProps) {
  const [begun, setBegun] = useState(begunUploads);
  const list = trpc.storageUploads.list.useQuery(undefined, { enabled: begun.length > 0 });
  const isQueued = ({ isOf, filePath, bucketId }: BegunUpload) =>
    queued.some((one) => isOf(one.file) && one.filePath === filePath && one.bucketId === bucketId);
  const rows = (list.data ?? []).flatMap((upload) => {
    const own = begun.find(({ id }) => id === upload.id);
    return own && !isQueued(own) ? [{ upload, own }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <Notice className="mb-5" title="Unfinished uploads">
      <p>Choose a file again to go on from where it stopped.</p>
      <ul aria-label="Unfinished uploads" className="mt-2 divide-y divide-line">
        {rows.map(({ upload, own }) => (
          <UnfinishedRow
            key={upload.id}
            {...{ upload, own, onFile }}
            onGone={() => setBegun(begunUploads())}
          />
        ))}
      </ul>
    </Notice>
  );
}

interface UnfinishedRowProps extends Pick<UnfinishedUploadsProps, 'onFile'> {
  upload: StoredFileUpload;
  own: BegunUpload;
  onGone: () => void;
}

function UnfinishedRow({ upload, own, onFile, onGone }: UnfinishedRowProps) {
  const { id, fileName, size } = upload;
  const { filePath, bucketId } = own;
  const input = useRef<HTMLInputElement>(null);
  const { client } = trpc.useUtils();
  function take({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    target.value = '';
    if (!file) return;
    if (own.isOf(file)) return onFile({ file, filePath, bucketId });
    const description = `Choose ${fileName} as it was, with ${formatSize(own.size)}.`;
    toast({ title: 'This is another file', description, variant: 'destructive' });
  }
  function discard() {
    own.forget();
    onGone();
    // What the server does not hear of, it gives up by itself.
    void client.storageUploads.abort.mutate({ id }).catch(() => undefined);
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <p className="min-w-0 grow basis-60 break-words">
        {fileName}{' '}
        <span className="text-muted">
          · {formatSize(size)} of {formatSize(own.size)}
        </span>
      </p>
      <input ref={input} type="file" hidden aria-label={`File to go on with: ${fileName}`} onChange={take} />
      <Button size="sm" aria-label={`Choose file: ${fileName}`} onClick={() => input.current?.click()}>
        Choose file
      </Button>
      <Button size="sm" aria-label={`Discard the upload of ${fileName}`} onClick={discard}>
        Discard
      </Button>
    </li>
  );
}
