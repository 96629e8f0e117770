import { DEFAULT_FILE_PATH } from '@nephos/contracts/constants';
import { FolderUp } from 'lucide-react';
import { type DragEvent, lazy, type ReactNode, useRef, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { Button } from '../../ui/button.tsx';
import type { StoragePlace } from './storage-search.ts';
import type { UploadQueue, Wanted } from './upload-queue.ts';

const UploadsTray = lazy(() =>
  import('./uploads-tray.tsx').then(({ UploadsTray }) => ({ default: UploadsTray })),
);

/** One for the tab, so that uploads go on while their person looks at other pages. */
let queue: UploadQueue | undefined;

interface BulkUpload {
  /** Opens the browser's choice of files. */
  button: ReactNode;
  /** What is on its way. */
  tray: ReactNode;
  /** For what files can be dropped on. */
  zone: { onDragOver: (event: DragEvent) => void; onDrop: (event: DragEvent) => void };
}

/** Many files at once, of any size, to where one looks; folders that are dropped keep their structure. */
export function useBulkUpload(place: StoragePlace): BulkUpload {
  const utils = trpc.useUtils();
  const need = useNeed('build');
  const input = useRef<HTMLInputElement>(null);
  const [begun, setBegun] = useState(queue !== undefined);
  const filePath = place.folder ?? (place.bucket === undefined ? DEFAULT_FILE_PATH : '/');

  async function take(files: readonly { file: File; below: string }[]) {
    if (files.length === 0) return;
    if (!queue) {
      const { createUploadQueue } = await import('./upload-queue.ts');
      const { storage } = utils;
      queue ??= createUploadQueue(utils.client, () => {
        void storage.list.invalidate();
        void storage.subfolders.invalidate();
      });
    }
    queue.add(
      files.map(
        ({ file, below }): Wanted => ({ file, filePath: `${filePath}${below}`, bucketId: place.bucket }),
      ),
    );
    setBegun(true);
  }

  return {
    button: (
      <>
        <Button {...need} onClick={() => input.current?.click()}>
          <FolderUp aria-hidden="true" />
          Bulk Upload
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          onChange={({ target }) => {
            void take([...(target.files ?? [])].map((file) => ({ file, below: '' })));
            target.value = '';
          }}
        />
      </>
    ),
    tray: begun && queue && (
      <LatePart wanted onSaid={() => setBegun(false)}>
        <UploadsTray queue={queue} />
      </LatePart>
    ),
    zone: {
      onDragOver: (event) => {
        if (need.reason === undefined && event.dataTransfer.types.includes('Files')) event.preventDefault();
      },
      onDrop: (event) => {
        // A dialog has a place of its own to drop a file on; its events come by here as well.
        if (event.defaultPrevented || need.reason !== undefined) return;
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        // Read at once: the list is empty once the event is over.
        const entries = [...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
        void import('./dropped-files.ts').then(({ droppedFiles }) => droppedFiles(entries)).then(take);
      },
    },
  };
}
