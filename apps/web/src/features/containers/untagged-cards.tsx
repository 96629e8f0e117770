import { formatSize } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { DeleteUntaggedImage } from './delete-untagged-image.tsx';
import { Digest, digestPrefix } from './digest.tsx';
import { kindOf } from './freed.ts';
import { PushedAt } from './pushed-at.tsx';
import type { UntaggedTableProps } from './untagged-table.tsx';

/** Untagged images where a table has no room. */
export function UntaggedCards({ images, label }: UntaggedTableProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-xl border border-line bg-surface">
      {images.map((image) => (
        <li key={image.id} className="flex items-start justify-between gap-2 px-3 py-2">
          <div className="min-w-0">
            <Digest digest={image.digest} of={digestPrefix(image.digest)} />
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 break-all text-muted text-sm">
              <span>{kindOf(image)}</span>
              <span>{formatSize(image.size)}</span>
              <PushedAt at={image.pushedAt} />
              {image.isRecent && <Badge tone="info">Push may go on</Badge>}
            </p>
          </div>
          <DeleteUntaggedImage image={image} />
        </li>
      ))}
    </ul>
  );
}
