import type { TrashedFile } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { formatAgo, formatInstant, formatSize } from '../../lib/format.ts';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TrashBar } from './files-bar.tsx';
import { SelectBox, useSelection } from './selection.tsx';
import { StorageTabs } from './storage-tabs.tsx';

/** What was deleted in the last days, and can be brought back. */
export function TrashPage() {
  const [{ pages }, list] = trpc.storageTrash.list.useSuspenseInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  const files = pages.flat();
  const selection = useSelection(files, 'trash');
  return (
    <div {...selection.keys}>
      <PageHeader {...HEADINGS.storage} action={files.length > 0 && <EmptyTrash />} />
      <StorageTabs />
      {files.length === 0 ? (
        <EmptyState
          icon={Trash2}
          title="The trash is empty"
          description="Files you delete in the console stay here for 7 days, or until your plan needs the room."
        />
      ) : (
        <>
          <TrashBar selection={selection} hasMore={list.hasNextPage} />
          {selection.provide(
            <ul
              aria-label="Deleted files"
              className="divide-y divide-line rounded-xl border border-line bg-surface"
            >
              {files.map((file) => (
                <TrashRow key={file.id} file={file} />
              ))}
            </ul>,
          )}
        </>
      )}
      <MorePages {...nextPages(list, 'deleted files')} />
    </div>
  );
}

function TrashRow({ file }: { file: TrashedFile }) {
  const { id, bucketId, fileName, filePath, fileSize, trashedAt, isKept } = file;
  const bucket = trpc.buckets.list.useQuery().data?.find((one) => one.id === bucketId)?.name;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      <SelectBox id={id} name={fileName} />
      <div className="min-w-0 grow basis-40">
        <p className="break-words font-medium">{fileName}</p>
        <p className="break-words text-faint text-sm">
          {bucket !== undefined && `${bucket} · `}
          <span className="font-mono">{filePath}</span> · {formatSize(fileSize)} · deleted{' '}
          <time dateTime={trashedAt} title={formatInstant(trashedAt)}>
            {formatAgo(trashedAt)}
          </time>
          {isKept && ' · kept by its bucket'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:basis-full max-sm:pl-8">
        <RestoreFile file={file} />
        <DeleteForGood file={file} />
      </div>
    </li>
  );
}

function RestoreFile({ file: { id, fileName } }: { file: TrashedFile }) {
  const utils = trpc.useUtils();
  const restore = useAction(trpc.storageTrash.restore.useMutation(), {
    success: 'File restored',
    failure: 'Failed to restore the file',
    serverSpeaks: true,
    refresh: [utils.storageTrash.list, utils.storage.list, utils.storage.subfolders],
  });
  return (
    <Button
      size="sm"
      aria-label={`Restore ${fileName}`}
      {...restore.button}
      onClick={() => restore.run({ id })}
    >
      Restore
    </Button>
  );
}

function DeleteForGood({ file: { id, fileName } }: { file: TrashedFile }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.storageTrash.remove.useMutation(), {
    success: 'File deleted for good',
    failure: 'Failed to delete the file',
    serverSpeaks: true,
    refresh: [utils.storageTrash.list],
  });
  return (
    <ConfirmDialog
      title={`Delete ${fileName} for good?`}
      description="It cannot be brought back."
      label="Delete for good"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <Button size="sm" aria-label={`Delete for good: ${fileName}`} onClick={open}>
          Delete for good
        </Button>
      )}
    />
  );
}

function EmptyTrash() {
  const utils = trpc.useUtils();
  const empty = useAction(trpc.storageTrash.empty.useMutation(), {
    success: 'Trash emptied',
    failure: 'Failed to empty the trash',
    serverSpeaks: true,
    refresh: [utils.storageTrash.list],
  });
  return (
    <ConfirmDialog
      title="Empty the trash?"
      description="Its files cannot be brought back. Those that a bucket keeps stay."
      label="Empty trash"
      action={empty}
      onConfirm={(close) => empty.run(undefined, close)}
      trigger={(open) => <Button onClick={open}>Empty Trash</Button>}
    />
  );
}
