import { createFileRoute } from '@tanstack/react-router';
import { LateActivity } from '../../features/activity/late-activity.tsx';
import { ImagePage } from '../../features/containers/image-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/containers/$imageId')({
  loader: ({ context: { utils }, params: { imageId } }) =>
    Promise.all([utils.containers.get.ensureData({ id: imageId }), utils.containers.registry.ensureData()]),
  pendingComponent: () => (
    <PageSkeleton label="Loading the image" action="w-72" bars={['mb-8 h-40', 'h-48']} />
  ),
  component: Page,
});

function Page() {
  return (
    <>
      <ImagePage />
      <LateActivity id={Route.useParams().imageId} />
    </>
  );
}
