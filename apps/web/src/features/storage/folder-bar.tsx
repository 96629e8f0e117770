import { MAX_FOLDERS } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Folder, FolderPlus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { inputOf, type StoragePlace } from './storage-search.ts';

const FolderMenu = lazy(() =>
  import('./folder-menu.tsx').then(({ FolderMenu }) => ({ default: FolderMenu })),
);

const NewFolderDialog = lateDialog({ fields: 1 }, () =>
  import('./new-folder-dialog.tsx').then(({ NewFolderDialog }) => NewFolderDialog),
);

/** Where one is among the folders, those that lie below, and what can be done with them. */
export function FolderBar({ place }: { place: StoragePlace }) {
  const { bucket, folder } = place;
  const need = useNeed('build');
  const [asking, setAsking] = useState(false);
  const below = trpc.storage.subfolders.useQuery({ ...inputOf(place), folder: folder ?? '/' });
  const buckets = trpc.buckets.list.useQuery(undefined, { enabled: bucket !== undefined });
  const { name, isPublic = false } = buckets.data?.find(({ id }) => id === bucket) ?? {};
  const parents = (folder ?? '/').split('/').filter((part) => part !== '');
  const folders = below.data ?? [];
  return (
    <div className="mb-5 flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <nav aria-label="Folder" className="flex min-w-0 flex-wrap items-center gap-x-1 gap-y-1 text-sm">
          <Crumb place={{ bucket, folder: undefined }} current={folder === undefined}>
            {name ?? 'All files'}
          </Crumb>
          {parents.map((part, at) => (
            <span key={parents.slice(0, at + 1).join('/')} className="flex min-w-0 items-center gap-1">
              <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
              <Crumb
                place={{ bucket, folder: `/${parents.slice(0, at + 1).join('/')}/` }}
                current={at === parents.length - 1}
              >
                {part}
              </Crumb>
            </span>
          ))}
        </nav>
        <div className="flex items-center gap-2">
          <Button size="sm" variant="ghost" {...need} onClick={() => setAsking(true)}>
            <FolderPlus aria-hidden="true" />
            New folder
          </Button>
          {parents.length > 0 && folder !== undefined && (
            <Suspense fallback={<div className="size-8" />}>
              <FolderMenu bucket={bucket} folder={folder} />
            </Suspense>
          )}
        </div>
      </div>
      {isPublic && (
        <p className="text-muted text-sm">
          This bucket is public: anybody with the address of a file can read it.
        </p>
      )}
      {below.error && <LoadFailure query={below} failure="Failed to load the folders" />}
      <Folders bucket={bucket} folders={folders} />
      {asking && <NewFolderDialog place={place} onClose={() => setAsking(false)} />}
    </div>
  );
}

function Folders({ bucket, folders }: { bucket: string | undefined; folders: readonly string[] }) {
  if (folders.length === 0) return null;
  return (
    <>
      <ul aria-label="Folders" className="flex max-h-48 flex-wrap gap-2 overflow-y-auto p-0.5">
        {folders.map((path) => (
          <li key={path} className="min-w-0 max-w-full">
            <Link
              to="/storage"
              search={{ bucket, folder: path }}
              className="inline-flex h-9 max-w-full items-center gap-2 rounded-md border border-line bg-surface px-3 text-sm hover:bg-hover"
            >
              <Folder aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <span className="truncate">{path.split('/').at(-2)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {folders.length === MAX_FOLDERS && (
        <p className="text-muted text-sm">
          These are the first {MAX_FOLDERS.toLocaleString('en')} folders. Search finds files in all of them.
        </p>
      )}
    </>
  );
}

interface CrumbProps {
  place: StoragePlace;
  current: boolean;
  children: ReactNode;
}

function Crumb({ place, current, children }: CrumbProps) {
  return (
    <Link
      to="/storage"
      search={place}
      aria-current={current ? 'page' : undefined}
      className="truncate rounded-sm px-1 text-muted hover:text-fg aria-[current=page]:font-medium aria-[current=page]:text-fg"
    >
      {children}
    </Link>
  );
}
