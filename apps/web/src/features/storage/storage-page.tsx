import { HardDrive, Upload } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { Button } from '../../ui/button.tsx';
import { CardPages } from '../../ui/card-pages.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FileCard } from './file-card.tsx';
import { UploadDialog } from './upload-dialog.tsx';

export function StoragePage() {
  const [{ pages }, list] = trpc.storage.list.useSuspenseInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  const { creating, setCreating } = useCreation();

  const uploadButton = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Upload aria-hidden="true" />
      Upload File
    </Button>
  );

  return (
    <>
      <PageHeader {...HEADINGS.storage} action={uploadButton} />
      <CardPages
        label="Files"
        pages={pages}
        empty={
          <EmptyState
            icon={HardDrive}
            title="No files yet"
            description="Files are private. Make one public to share it by URL."
            action={<Button onClick={() => setCreating(true)}>Upload your first file</Button>}
          />
        }
        more={{ list, failure: 'More files could not be loaded.' }}
      >
        {(file) => <FileCard file={file} />}
      </CardPages>
      {creating && <UploadDialog onClose={() => setCreating(false)} />}
    </>
  );
}
