import { createFileRoute } from '@tanstack/react-router';
import { ImagePage } from '../../features/containers/image-page.tsx';
import { ImageSkeleton } from '../../features/containers/image-skeleton.tsx';

export const Route = createFileRoute('/_console/containers/$imageId')({
  loader: ({ context: { utils }, params: { imageId } }) =>
    Promise.all([utils.containers.get.ensureData({ id: imageId }), utils.containers.registry.ensureData()]),
  pendingComponent: ImageSkeleton,
  component: ImagePage,
});
