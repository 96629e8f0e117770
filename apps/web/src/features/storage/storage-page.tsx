import { HardDrive, Upload } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { FileCard } from './file-card.tsx';
import { FILE_PAGES, FIRST_FILES } from './file-pages.ts';
import { StorageHeader } from './storage-header.tsx';
import { UploadDialog } from './upload-dialog.tsx';

export function StoragePage() {
  const [{ pages }, list] = trpc.storage.list.useSuspenseInfiniteQuery(FIRST_FILES, FILE_PAGES);
  const { creating, setCreating } = useCreation();
  const files = pages.flat();

  const uploadButton = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Upload aria-hidden="true" />
      Upload File
    </Button>
  );

  return (
    <>
      <StorageHeader action={uploadButton} />
      {files.length === 0 ? (
        <EmptyState
          icon={HardDrive}
          title="No files yet"
          description="A file is stored on this server. It is yours alone, until you make it public: then anyone can download it by its address."
          action={<Button onClick={() => setCreating(true)}>Upload your first file</Button>}
        />
      ) : (
        <ul aria-label="Files" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {files.map((file) => (
            // Cards out of sight cost nothing to lay out, however many there are.
            <li
              key={file.id}
              className="min-w-0 [contain-intrinsic-size:auto_13rem] [content-visibility:auto]"
            >
              <FileCard file={file} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More files could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
      <UploadDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
