import { getRouteApi } from '@tanstack/react-router';
import { statusOf } from '../../lib/errors.ts';
import { trpc } from '../../trpc.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ImageFacts } from './image-facts.tsx';
import { ImageHeader } from './image-header.tsx';
import { PlatformList } from './platform-list.tsx';
import { ReferrerTable } from './referrer-table.tsx';
import { TagTable } from './tag-table.tsx';
import { UntaggedSection } from './untagged-section.tsx';
import { useImageChanges } from './use-image-changes.ts';

const route = getRouteApi('/_console/containers/$imageId');

export function ImagePage() {
  const { imageId } = route.useParams();
  const [image, { error }] = trpc.containers.get.useSuspenseQuery({ id: imageId });
  useImageChanges();
  const isGone = error !== null && statusOf(error) === 404;
  return (
    <>
      <BackLink to="/containers">Container Registry</BackLink>
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
        {!isGone && <UntaggedSection repositoryId={image.repositoryId} />}
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
