import type { ContainerImage } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { memo } from 'react';
import { formatSize } from '../../lib/format.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { PullInstructions } from './pull-instructions.tsx';

/** Memoised: there may be thousands, and a page more leaves those before it as they are. */
export const ImageCard = memo(function ImageCard({ image }: { image: ContainerImage }) {
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
