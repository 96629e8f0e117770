import type { ImageRepository } from '@nephos/contracts';
import { Boxes } from 'lucide-react';
import { useId, useState } from 'react';
import { formatSize } from '../../lib/format.ts';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { BackLink } from '../../shell/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Tile } from '../../ui/tile.tsx';
import { DeleteUntagged, UntaggedImages } from './untagged-images.tsx';
import { useImageChanges } from './use-image-changes.ts';

/** What images use of one's storage, repository by repository: also of those that have no tag and so no card. */
export function StoragePage() {
  const [{ pages }, list] = trpc.containers.repositories.useSuspenseInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  useImageChanges();
  const repositories = pages.flat();
  return (
    <>
      <BackLink to="/containers">Container Registry</BackLink>
      <PageHeader
        title="Image storage"
        description="Storage used by your images. Pushing to an existing tag leaves the previous image behind, untagged."
      />
      {repositories.length === 0 ? (
        <EmptyState
          icon={Boxes}
          title="No images stored"
          description="Repositories you push to are listed here with the storage they use."
        />
      ) : (
        <>
          <Totals />
          <ul aria-label="Repositories" className="flex flex-col gap-4">
            {repositories.map((repository) => (
              <li key={repository.id}>
                <RepositoryCard repository={repository} />
              </li>
            ))}
          </ul>
        </>
      )}
      <MorePages {...nextPages(list, 'repositories')} />
    </>
  );
}

function Totals() {
  const [{ size, untagged }] = trpc.containers.storage.useSuspenseQuery();
  const [{ plan, storage, setByAdmin }] = trpc.billing.limits.useSuspenseQuery();
  return (
    <dl className="mb-6 grid gap-4 sm:grid-cols-3">
      <Tile
        term={storage.limit === null || setByAdmin.includes('storage') ? 'Your storage' : `Your ${plan} plan`}
        value={`${formatSize(storage.used)} in use`}
        note={
          storage.limit === null
            ? 'Files and images combined.'
            : `Of ${formatSize(storage.limit)}, files and images combined.`
        }
      />
      <Tile term="Images" value={formatSize(size)} note="Layers count once per repository." />
      <Tile
        term="Reclaimable"
        value={formatSize(untagged.deletion.size)}
        note="By deleting untagged images. Tagged images aren't affected."
      />
    </dl>
  );
}

/** A repository by what it uses of the storage, and what of that can be freed. */
function RepositoryCard({ repository }: { repository: ImageRepository }) {
  const { name, isPublic, tags, size, untagged } = repository;
  return (
    <Card>
      <CardHeader title={<span title={name}>{name}</span>} aside={<VisibilityIcon isPublic={isPublic} />} />
      <dl className="mt-3 grid grid-cols-2 gap-x-10 gap-y-3 text-sm sm:flex">
        <Fact label="Storage" value={formatSize(size)} />
        <Fact label="Tags" value={tags} />
        {untagged.images > 0 && (
          <>
            <Fact label="Untagged images" value={untagged.images} />
            <Fact label="Reclaimable" value={formatSize(untagged.deletion.size)} />
          </>
        )}
      </dl>
      {untagged.images > 0 && <Untagged repository={repository} />}
    </Card>
  );
}

function Fact({ label, value }: { label: string; value: string | number }) {
  return (
    <div>
      <dt className="text-faint">{label}</dt>
      <dd className="mt-0.5">{value}</dd>
    </div>
  );
}

function Untagged({ repository }: { repository: ImageRepository }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="sm" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? 'Hide untagged images' : 'Show untagged images'}
        </Button>
        {repository.untagged.deletion.manifests > 0 && <DeleteUntagged repository={repository} />}
      </div>
      <div id={id} className={open ? 'mt-4' : undefined}>
        {open && <UntaggedImages repository={repository} />}
      </div>
    </>
  );
}
