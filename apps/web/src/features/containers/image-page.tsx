import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { statusOf } from '../../lib/errors.ts';
import { trpc } from '../../trpc.ts';
import { Notice } from '../../ui/notice.tsx';
import { ImageFacts } from './image-facts.tsx';
import { ImageHeader } from './image-header.tsx';
import { PlatformList } from './platform-list.tsx';
import { ReferrerTable } from './referrer-table.tsx';
import { TagTable } from './tag-table.tsx';
import { useImageChanges } from './use-image-changes.ts';

const route = getRouteApi('/_console/containers/$imageId');

export function ImagePage() {
  const { imageId } = route.useParams();
  const [image, { error }] = trpc.containers.get.useSuspenseQuery({ id: imageId });
  useImageChanges();
  const isGone = error !== null && statusOf(error) === 404;
  return (
    <>
      <Link
        to="/containers"
        className="mb-3 inline-flex items-center gap-1.5 rounded-sm text-muted text-sm hover:text-fg"
      >
        <ArrowLeft aria-hidden="true" className="size-3.5" />
        Container Registry
      </Link>
      <ImageHeader image={image} />
      <div className="flex flex-col gap-8">
        {isGone && (
          <Notice tone="warning" title="This tag was deleted">
            This is what was last known of it.
          </Notice>
        )}
        {!image.pushedAt && (
          <Notice title="Nothing was pushed under this tag yet">
            Pull Instructions has the commands that push an image here.
          </Notice>
        )}
        <ImageFacts image={image} />
        <TagTable image={image} />
        {image.pushedAt && (
          <>
            <PlatformList platforms={image.platforms} />
            <ReferrerTable referrers={image.referrers} />
          </>
        )}
      </div>
    </>
  );
}
