import type { ContainerImage } from '@nephos/contracts';
import { IMAGE_SORTS } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { Boxes, HardDrive, Plus, Tag } from 'lucide-react';
import { memo } from 'react';
import { useCreation } from '../../lib/creation.ts';
import { formatSize } from '../../lib/format.ts';
import { LIST_PAGES } from '../../lib/keyset-pages.ts';
import { useListView } from '../../lib/list-view.ts';
import { ResourceList } from '../../lib/resource-list.tsx';
import { trpc } from '../../lib/trpc.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { IMAGE_COLUMNS } from './image-columns.tsx';
import { PullInstructions } from './pull-instructions.tsx';
import { useImageChanges } from './use-image-changes.ts';

const RegisterImageDialog = lateDialog({ fields: 3 }, () =>
  import('./register-image-dialog.tsx').then(({ RegisterImageDialog }) => RegisterImageDialog),
);

export function ContainersPage() {
  const view = useListView(IMAGE_SORTS);
  const list = trpc.containers.list.useInfiniteQuery(view.first, LIST_PAGES);
  useImageChanges();
  const { creating, setCreating, opener } = useCreation();
  return (
    <>
      <PageHeader
        {...HEADINGS.containers}
        action={
          <>
            <AssistantButton scope="container" />
            <Button variant="primary" {...opener}>
              <Plus aria-hidden="true" />
              Register Image
            </Button>
          </>
        }
      />
      <StorageLine />
      <ResourceList
        label="Container images"
        nouns={['image', 'images']}
        list={list}
        view={view}
        updatedLabel="Last pushed"
        card={(image) => <ImageCard image={image} />}
        columns={IMAGE_COLUMNS}
        empty={
          <EmptyState
            icon={Boxes}
            title="No container images yet"
            description="Register a name and push to it, or just push: new images appear here automatically."
            action={<Button {...opener}>Register your first image</Button>}
          />
        }
      />
      {creating && <RegisterImageDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/**
 * What all images use of one's storage, and the way to what of it can be freed; nothing where there is none, or it
 * is not known.
 */
function StorageLine() {
  const { data: storage } = trpc.containers.storage.useQuery();
  if (!storage || storage.size === 0) return null;
  const { size, untagged } = storage;
  return (
    <p className="mb-6 flex gap-2 text-muted text-sm">
      <HardDrive aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        Images use <strong className="font-medium text-fg">{formatSize(size)}</strong> of your storage
        {untagged.deletion.size > 0 && <>, {formatSize(untagged.deletion.size)} of it in untagged images</>}.{' '}
        <Link to="/containers/storage" className="rounded-sm text-accent-text underline underline-offset-4">
          Storage by repository
        </Link>
      </span>
    </p>
  );
}

/** Memoised: there may be thousands, and a page more leaves those before it as they are. */
const ImageCard = memo(function ImageCard({ image }: { image: ContainerImage }) {
  const { id, name, tag, isPublic, size, pullCount, pushedAt } = image;
  return (
    <Card className="flex h-full min-h-48 flex-col">
      <header className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="truncate font-semibold" title={name}>
            <Link
              to="/containers/$imageId"
              params={{ imageId: id }}
              className="rounded-sm underline-offset-4 hover:underline"
            >
              {name}
            </Link>
          </h2>
          <div className="mt-2 flex min-w-0 flex-wrap gap-2">
            <Badge className="max-w-full" icon={<Tag aria-hidden="true" />}>
              <span className="truncate">{tag}</span>
            </Badge>
            {!pushedAt && <Badge tone="info">Awaiting push</Badge>}
          </div>
        </div>
        <VisibilityIcon isPublic={isPublic} />
      </header>
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-faint">Size</dt>
        <dd>{formatSize(size)}</dd>
        <dt className="text-faint">Pulls</dt>
        <dd>{pullCount}</dd>
      </dl>
      <div className="mt-auto pt-5">
        <PullInstructions image={image} />
      </div>
    </Card>
  );
});
