import { Boxes, Plus } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { CardPages } from '../../ui/card-pages.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { ContainersHeader } from './containers-header.tsx';
import { ImageCard } from './image-card.tsx';
import { RegisterImageDialog } from './register-image-dialog.tsx';
import { StorageLine } from './storage-line.tsx';
import { useImageChanges } from './use-image-changes.ts';

export function ContainersPage() {
  const [{ pages }, list] = trpc.containers.list.useSuspenseInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  useImageChanges();
  const { creating, setCreating } = useCreation();
  return (
    <>
      <ContainersHeader
        action={
          <>
            <AssistantButton scope="container" />
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden="true" />
              Register Image
            </Button>
          </>
        }
      />
      <StorageLine />
      {pages[0]?.length === 0 ? (
        <EmptyState
          icon={Boxes}
          title="No container images yet"
          description="An image is an app with everything it needs to run. Register its name, then push it; or just push, and it appears here by itself."
          action={<Button onClick={() => setCreating(true)}>Register your first image</Button>}
        />
      ) : (
        <CardPages label="Container images" pages={pages}>
          {(image) => <ImageCard image={image} />}
        </CardPages>
      )}
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More images could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
      <RegisterImageDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
