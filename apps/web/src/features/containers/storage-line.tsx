import { Link } from '@tanstack/react-router';
import { HardDrive } from 'lucide-react';
import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../trpc.ts';

/**
 * What all images use of one's storage, and the way to what of it can be freed; nothing where there is none, or it
 * is not known.
 */
export function StorageLine() {
  const { data: storage } = trpc.containers.storage.useQuery();
  if (!storage || storage.size === 0) return null;
  const { size, untagged } = storage;
  return (
    <p className="mb-6 flex gap-2 text-muted text-sm">
      <HardDrive aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        Images use <strong className="font-medium text-fg">{formatSize(size)}</strong> of your storage
        {untagged.deletion.size > 0 && <>, {formatSize(untagged.deletion.size)} of it for untagged images</>}.{' '}
        <Link to="/containers/storage" className="rounded-sm text-accent-text underline underline-offset-4">
          Storage by repository
        </Link>
      </span>
    </p>
  );
}
