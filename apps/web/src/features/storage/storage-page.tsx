import { FILE_SORTS } from '@nephos/contracts/constants';
import { HardDrive, Upload } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useCreation } from '../../lib/creation.ts';
import { LIST_PAGES } from '../../lib/keyset-pages.ts';
import { useListView } from '../../lib/list-view.ts';
import { ResourceList } from '../../lib/resource-list.tsx';
import { trpc } from '../../lib/trpc.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBulkUpload } from './bulk-upload.tsx';
import { FileCard } from './file-card.tsx';
import { FILE_COLUMNS } from './file-columns.tsx';
import { FolderBar } from './folder-bar.tsx';
import { useSelection } from './selection.tsx';
import { inputOf, useStoragePlace } from './storage-search.ts';
import { StorageTabs } from './storage-tabs.tsx';

const FilesBar = lazy(() => import('./files-bar.tsx').then(({ FilesBar }) => ({ default: FilesBar })));

const UploadDialog = lateDialog({ fields: 3 }, () =>
  import('./upload-dialog.tsx').then(({ UploadDialog }) => UploadDialog),
);

export function StoragePage() {
  const view = useListView(FILE_SORTS);
  const place = useStoragePlace();
  const list = trpc.storage.list.useInfiniteQuery({ ...view.first, ...inputOf(place) }, LIST_PAGES);
  const { creating, setCreating, opener } = useCreation();
  const files = list.data?.pages.flat() ?? [];
  const selection = useSelection(files, JSON.stringify([place, view.words]));

  const bulk = useBulkUpload(place);

  // The dialog sends one file to the console's own bucket, as it always did.
  const uploadButtons = (
    <div className="flex flex-wrap gap-2">
      {bulk.button}
      {place.bucket === undefined && (
        <Button variant="primary" {...opener}>
          <Upload aria-hidden="true" />
          Upload File
        </Button>
      )}
    </div>
  );

  return (
    <div {...bulk.zone} {...selection.keys}>
      <PageHeader {...HEADINGS.storage} action={uploadButtons} />
      <StorageTabs />
      {bulk.tray}
      <FolderBar place={place} />
      {files.length > 0 && (
        <Suspense fallback={<div className="mb-2 h-12" />}>
          <FilesBar selection={selection} hasMore={list.hasNextPage} />
        </Suspense>
      )}
      {selection.provide(
        <ResourceList
          label="Files"
          nouns={['file', 'files']}
          list={list}
          view={view}
          card={(file) => <FileCard file={file} />}
          columns={FILE_COLUMNS}
          empty={
            place.folder !== undefined || place.bucket !== undefined ? (
              <EmptyState
                icon={HardDrive}
                title="No files here"
                description="Drop some here, or look elsewhere."
              />
            ) : (
              <EmptyState
                icon={HardDrive}
                title="No files yet"
                description="Files are private. Make one public to share it by URL."
                action={<Button {...opener}>Upload your first file</Button>}
              />
            )
          }
        />,
      )}
      {creating && <UploadDialog folder={place.folder} onClose={() => setCreating(false)} />}
    </div>
  );
}
