import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../trpc.ts';
import { DeleteUntagged } from './delete-untagged.tsx';
import { UntaggedImages } from './untagged-images.tsx';

/** Of an image's page: what its repository keeps that no tag needs any more; nothing where there is none. */
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
            What later pushes of the same tags have left behind. It counts towards your storage:{' '}
            {formatSize(deletion.size)} can be freed.
          </p>
        </div>
        {deletion.manifests > 0 && <DeleteUntagged repository={repository} />}
      </div>
      <UntaggedImages repository={repository} />
    </section>
  );
}
