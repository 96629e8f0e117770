import type { ImageRepository, UntaggedImage } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatSize } from '../../lib/format.ts';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.ts';
import { kindOf, whatAllFree, whatOneFrees, whatWasFreed } from './freed.ts';
import { Digest, digestPrefix, keptProps, PushedAt } from './image-cells.tsx';
import { useStorageQueries } from './use-image-changes.ts';

/** On an image's page: what its repository keeps that no tag needs any more; nothing where there is none. */
export function UntaggedSection({ repositoryId }: { repositoryId: string }) {
  const { data: repository } = trpc.containers.repository.useQuery({ id: repositoryId });
  if (!repository || repository.untagged.images === 0) return null;
  const { deletion } = repository.untagged;
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-72">
          <h2 className="font-semibold text-lg">Untagged images</h2>
          <p className="text-muted text-sm">
            Left behind when their tag was pushed again. They count toward your storage; deleting them frees{' '}
            {formatSize(deletion.size)}.
          </p>
        </div>
        {deletion.manifests > 0 && <DeleteUntagged repository={repository} />}
      </div>
      <UntaggedImages repository={repository} />
    </section>
  );
}

/** Of the sentence that says why an untagged image stays. */
function keptIdOf(digest: string): string {
  return `kept-${digest}`;
}

const COLUMNS: readonly Column<UntaggedImage>[] = [
  {
    heading: 'Digest',
    cell: ({ digest, keptBecause }) => (
      <>
        <Digest digest={digest} of={digestPrefix(digest)} />
        {keptBecause && (
          <p id={keptIdOf(digest)} className="text-muted text-sm">
            {keptBecause}
          </p>
        )}
      </>
    ),
    card: 'title',
  },
  {
    heading: 'Kind',
    cell: (image) => (
      <span className="flex items-center gap-2 text-sm in-[td]:whitespace-nowrap in-[dd]:flex-wrap in-[dd]:justify-end">
        {kindOf(image)}
        {image.isRecent && <Badge tone="info">Recently pushed</Badge>}
      </span>
    ),
  },
  {
    heading: 'Size',
    className: 'text-right',
    cell: ({ size }) => <span className="whitespace-nowrap">{formatSize(size)}</span>,
  },
  {
    heading: 'Pushed',
    cell: ({ pushedAt }) => (
      <span className="text-muted">
        <PushedAt at={pushedAt} />
      </span>
    ),
  },
  {
    heading: 'Actions',
    hideHeading: true,
    className: 'w-12',
    cell: (image) => <DeleteUntaggedImage image={image} />,
    card: 'aside',
  },
];

/** What no tag of a repository needs any more, newest first. */
export function UntaggedImages({ repository: { id, name } }: { repository: ImageRepository }) {
  const list = trpc.containers.untagged.useInfiniteQuery({ ...FIRST_PAGE, id }, KEYSET_PAGES);
  return (
    <DataList
      label={`Untagged images of ${name}`}
      columns={COLUMNS}
      rows={list.data?.pages.flat()}
      loading="Loading untagged images"
      failure={
        list.isLoadingError && <LoadFailure query={list} failure="Failed to load the untagged images" />
      }
      more={nextPages(list, 'images')}
    />
  );
}

/** The way out of an untagged image. */
function DeleteUntaggedImage({ image }: { image: UntaggedImage }) {
  const [asking, setAsking] = useState(false);
  // Not in the dialog: a deletion goes on when its dialog is left, and the next one has to show it.
  const remove = useAction(trpc.containers.removeUntaggedImage.useMutation(), {
    failure: 'Failed to delete the image',
    serverSpeaks: true,
    refresh: useStorageQueries(),
    onDone: (deletion) => toast({ title: 'Untagged image deleted', description: whatWasFreed(deletion) }),
  });
  return (
    <>
      <IconButton
        size="sm"
        label={`Delete ${digestPrefix(image.digest)}`}
        {...keptProps(image.keptBecause, keptIdOf(image.digest), () => setAsking(true))}
      >
        <Trash2 aria-hidden="true" />
      </IconButton>
      {asking && <UntaggedImageDeletion image={image} action={remove} onClose={() => setAsking(false)} />}
    </>
  );
}

interface UntaggedImageDeletionProps {
  image: UntaggedImage;
  action: Action<{ id: string }>;
  onClose: () => void;
}

/** Says what goes along, and asks for the beginning of the digest. */
function UntaggedImageDeletion({ image: { id, digest }, action, onClose }: UntaggedImageDeletionProps) {
  // Asked for when it is needed: what goes along is more to find out than what is listed.
  const detail = trpc.containers.untaggedImage.useQuery({ id }, { gcTime: 0 });
  return (
    <DeleteDialog
      title="Delete untagged image?"
      description={`It can no longer be pulled by its digest. ${detail.data ? whatOneFrees(detail.data.deletion) : ''}`}
      name={digestPrefix(digest)}
      label="Delete image"
      action={action}
      onConfirm={(close) => action.run({ id }, close)}
      onClose={onClose}
    />
  );
}

/** The way out of all untagged images of a repository, which asks for its name. */
export function DeleteUntagged({ repository: { id, name, untagged } }: { repository: ImageRepository }) {
  const remove = useAction(trpc.containers.removeUntagged.useMutation(), {
    failure: 'Failed to delete the untagged images',
    serverSpeaks: true,
    refresh: useStorageQueries(),
    onDone: (deletion) => toast({ title: 'Untagged images deleted', description: whatWasFreed(deletion) }),
  });
  return (
    <DeleteDialog
      title="Delete untagged images?"
      description={`${whatAllFree(untagged)} Tagged images aren't affected.`}
      name={name}
      label="Delete untagged images"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <Button size="sm" onClick={open}>
          <Trash2 aria-hidden="true" />
          Delete untagged images
        </Button>
      )}
    />
  );
}
