import { DEFAULT_FILE_PATH } from '@nephos/contracts/constants';
import { FolderUp } from 'lucide-react';
import { type DragEvent, type HTMLAttributes, lazy, type ReactNode, useRef, useState } from 'react';
import { tabWorkspace } from '../../lib/tab-workspace.ts';
import { trpc } from '../../lib/trpc.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/toast.ts';
import { begunUploads } from './kept-uploads.ts';
import type { StoragePlace } from './storage-search.ts';
import type { UploadQueue, Wanted } from './upload-queue.ts';

const UploadsTray = lazy(() =>
  import('./uploads-tray.tsx').then(({ UploadsTray }) => ({ default: UploadsTray })),
);

/** By workspace, one for the tab, so that uploads go on while their person looks at other pages. */
const queues = new Map<string, UploadQueue>();

interface BulkUpload {
  /** Opens the browser's choice of files. */
  button: ReactNode;
  /** What is on its way. */
  tray: ReactNode;
  /** For what files can be dropped on. */
  zone: Pick<HTMLAttributes<HTMLDivElement>, 'className' | 'onDragOver' | 'onDragLeave' | 'onDrop'>;
}

/** Whether files are dragged over the page itself: events of dialogs come by here as well, and belong to those. */
function isForPage({ dataTransfer, currentTarget, target }: DragEvent): boolean {
  return dataTransfer.types.includes('Files') && target instanceof Node && currentTarget.contains(target);
}

const UNREADABLE = 'Some of these files could not be read';

/** Many files at once, of any size, to where one looks; folders that are dropped keep their structure. */
export function useBulkUpload(place: StoragePlace): BulkUpload {
  const { client } = trpc.useUtils();
  const need = useNeed('build');
  const input = useRef<HTMLInputElement>(null);
  const workspace = tabWorkspace()?.id ?? '';
  const [over, setOver] = useState(false);
  const [queue, setQueue] = useState(queues.get(workspace));
  const [isShown, setShown] = useState(queue !== undefined || begunUploads().length > 0);
  const filePath = place.folder ?? (place.bucket === undefined ? DEFAULT_FILE_PATH : '/');

  async function add(wanted: readonly Wanted[]) {
    if (wanted.length === 0) return;
    const { createUploadQueue } = await import('./upload-queue.ts');
    const isHere = () => (tabWorkspace()?.id ?? '') === workspace;
    const added = queues.get(workspace) ?? createUploadQueue({ client, isHere });
    queues.set(workspace, added);
    added.add(wanted);
    setQueue(added);
    setShown(true);
  }

  function take(files: readonly { file: File; below: string }[]) {
    return add(
      files.map(({ file, below }) => ({ file, filePath: `${filePath}${below}`, bucketId: place.bucket })),
    );
  }

  return {
    button: (
      <>
        <Button
          {...need}
          variant={place.bucket === undefined ? 'secondary' : 'primary'}
          onClick={() => input.current?.click()}
        >
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
    tray: isShown && (
      <LatePart wanted onSaid={() => setShown(false)}>
        <UploadsTray queue={queue} onFile={(wanted) => void add([wanted])} />
      </LatePart>
    ),
    zone: {
      // As high as the window, lest a file that misses a short list takes the page's place.
      className: classNames(
        'min-h-[80dvh] rounded-xl',
        over && 'outline-2 outline-ring outline-dashed outline-offset-8',
      ),
      onDragOver(event) {
        if (need.reason !== undefined || !isForPage(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: ({ currentTarget, relatedTarget }) =>
        setOver(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
      onDrop(event) {
        setOver(false);
        if (need.reason !== undefined || !isForPage(event)) return;
        event.preventDefault();
        // Read at once: the list is empty once the event is over.
        const entries = [...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
        void import('./dropped-files.ts')
          .then(({ droppedFiles }) => droppedFiles(entries))
          .then(take)
          .catch(() => toast({ title: UNREADABLE, variant: 'destructive' }));
      },
    },
  };
}
