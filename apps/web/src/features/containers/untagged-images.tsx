import type { ImageRepository } from '@nephos/contracts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { trpc } from '../../trpc.ts';
import { ShowMore } from '../../ui/show-more.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { UntaggedCards } from './untagged-cards.tsx';
import { UntaggedTable } from './untagged-table.tsx';

/** What no tag of a repository needs any more, newest first. */
export function UntaggedImages({ repository: { id, name } }: { repository: ImageRepository }) {
  const list = trpc.containers.untagged.useInfiniteQuery({ ...FIRST_PAGE, id }, KEYSET_PAGES);
  if (!list.data) {
    if (list.error) return <LoadFailure query={list} failure="Failed to load the untagged images" />;
    return (
      <SkeletonGroup label="Loading untagged images">
        <Skeleton className="h-24" />
      </SkeletonGroup>
    );
  }
  const shown = { images: list.data.pages.flat(), label: `Untagged images of ${name}` };
  return (
    <>
      <TableOrCards table={<UntaggedTable {...shown} />} cards={<UntaggedCards {...shown} />} />
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More images could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}
