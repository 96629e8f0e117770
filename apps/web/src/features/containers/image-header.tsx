import type { ContainerImageDetail } from '@nephos/contracts';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { trpc } from '../../trpc.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { DeleteTag } from './delete-tag.tsx';
import { PullInstructions } from './pull-instructions.tsx';
import { referenceOf } from './registry-commands.ts';

export function ImageHeader({ image }: { image: ContainerImageDetail }) {
  const title = `${image.name}:${image.tag}`;
  useWindowTitle(title);
  const [registry] = trpc.containers.registry.useSuspenseQuery();
  const reference = referenceOf({ registry, image });
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 max-w-full">
        <h1 className="break-all font-semibold text-2xl tracking-tight">{title}</h1>
        <div className="mt-1 flex min-w-0 items-center gap-1">
          <code className="min-w-0 break-all text-muted text-sm">{reference}</code>
          <CopyButton value={reference} label="Copy the image’s address" />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <DeleteTag image={image} />
        <AssistantButton scope="container" resourceId={image.id} />
        <PullInstructions image={image} size="md" />
      </div>
    </header>
  );
}
