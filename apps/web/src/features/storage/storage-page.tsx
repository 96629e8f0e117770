import { FILE_SORTS } from '@nephos/contracts/constants';
import { HardDrive, Upload } from 'lucide-react';
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
import { FileCard } from './file-card.tsx';
import { FILE_COLUMNS } from './file-columns.tsx';

const UploadDialog = lateDialog({ fields: 3 }, () =>
  import('./upload-dialog.tsx').then(({ UploadDialog }) => UploadDialog),
);

export function StoragePage() {
  const view = useListView(FILE_SORTS);
  const list = trpc.storage.list.useInfiniteQuery(view.first, LIST_PAGES);
  const { creating, setCreating, opener } = useCreation();

  const uploadButton = (
    <Button variant="primary" {...opener}>
      <Upload aria-hidden="true" />
      Upload File
    </Button>
  );

  return (
    <>
      <PageHeader {...HEADINGS.storage} action={uploadButton} />
      <ResourceList
        label="Files"
        nouns={['file', 'files']}
        list={list}
        view={view}
        card={(file) => <FileCard file={file} />}
        columns={FILE_COLUMNS}
        empty={
          <EmptyState
            icon={HardDrive}
            title="No files yet"
            description="Files are private. Make one public to share it by URL."
            action={<Button {...opener}>Upload your first file</Button>}
          />
        }
      />
      {creating && <UploadDialog onClose={() => setCreating(false)} />}
    </>
  );
}
