import { Boxes, Plus } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ContainersHeader } from './containers-header.tsx';
import { ImageCard } from './image-card.tsx';
import { RegisterImageDialog } from './register-image-dialog.tsx';
import { STALE_AFTER } from './stale-after.ts';

export function ContainersPage() {
  const [images] = trpc.containers.list.useSuspenseQuery(undefined, { staleTime: STALE_AFTER });
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
      {images.length === 0 ? (
        <EmptyState
          icon={Boxes}
          title="No container images yet"
          description="An image is an app with everything it needs to run. Register its name, then push it; or just push, and it appears here by itself."
          action={<Button onClick={() => setCreating(true)}>Register your first image</Button>}
        />
      ) : (
        <ul aria-label="Container images" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {images.map((image) => (
            <li key={image.id} className="min-w-0">
              <ImageCard image={image} />
            </li>
          ))}
        </ul>
      )}
      <RegisterImageDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
