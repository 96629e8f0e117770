import { Link } from '@tanstack/react-router';
import { ChevronRight, Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { inputOf, type StoragePlace } from './storage-search.ts';

/** Where one is among the folders, and those that lie below. */
export function FolderBar({ place }: { place: StoragePlace }) {
  const { bucket, folder } = place;
  const below = trpc.storage.subfolders.useQuery({ ...inputOf(place), folder: folder ?? '/' });
  const buckets = trpc.buckets.list.useQuery(undefined, { enabled: bucket !== undefined });
  const name = buckets.data?.find(({ id }) => id === bucket)?.name;
  const parents = (folder ?? '/').split('/').filter((part) => part !== '');
  const folders = below.data ?? [];
  if (folder === undefined && bucket === undefined && folders.length < 2) return null;
  return (
    <div className="mb-5 flex flex-col gap-3">
      <nav aria-label="Folder" className="flex flex-wrap items-center gap-x-1 gap-y-1 text-sm">
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
      {folders.length > 0 && (
        <ul aria-label="Folders" className="flex flex-wrap gap-2">
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
      )}
    </div>
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
