import { Boxes } from 'lucide-react';
import { formatSize } from '../../lib/format.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../trpc.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { Tile } from '../../ui/tile.tsx';
import { RepositoryCard } from './repository-card.tsx';
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
        title="Image Storage"
        description="What your images use of your storage. A push of the same tag leaves the former image behind, untagged."
      />
      {repositories.length === 0 ? (
        <EmptyState
          icon={Boxes}
          title="Nothing is stored"
          description="Each repository that something was pushed to is listed here with what it uses of your storage."
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
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More repositories could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

function Totals() {
  const [{ size, untagged }] = trpc.containers.storage.useSuspenseQuery();
  const [{ plan, storage }] = trpc.billing.limits.useSuspenseQuery();
  return (
    <dl className="mb-6 grid gap-4 sm:grid-cols-3">
      <Tile
        term={storage.limit === null ? 'Your storage' : `Your ${plan} plan`}
        value={`${formatSize(storage.used)} in use`}
        note={
          storage.limit === null
            ? 'By files and images together.'
            : `Of ${formatSize(storage.limit)}, by files and images together.`
        }
      />
      <Tile term="Images" value={formatSize(size)} note="Layers count once in each repository." />
      <Tile
        term="Can be freed"
        value={formatSize(untagged.deletion.size)}
        note="By deleting untagged images; what a tag needs stays."
      />
    </dl>
  );
}
