import type { ContainerImage } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { formatSize } from '../../lib/format.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { RowTitle } from '../../ui/row-title.tsx';
import { PushedAt } from './image-cells.tsx';
import { PullInstructions } from './pull-instructions.tsx';

const pulls = (count: number) => (count === 1 ? '1 pull' : `${count} pulls`);

/** Everything that an image's card says and offers. */
export const IMAGE_COLUMNS: readonly Column<ContainerImage>[] = [
  {
    heading: 'Name',
    card: 'title',
    cell: ({ id, name, size, pullCount }) => (
      <RowTitle title={name} facts={`${formatSize(size)} · ${pulls(pullCount)}`}>
        <Link
          to="/containers/$imageId"
          params={{ imageId: id }}
          className="rounded-sm underline-offset-4 hover:underline"
        >
          {name}
        </Link>
      </RowTitle>
    ),
  },
  {
    heading: 'Visibility',
    hideHeading: true,
    className: 'w-12 px-2!',
    card: 'aside',
    cell: ({ isPublic }) => <VisibilityIcon isPublic={isPublic} />,
  },
  {
    heading: 'Tag',
    className: 'w-40 @5xl/page:w-48',
    card: 'line',
    cell: ({ tag, pushedAt }) => (
      <div className="flex min-w-0 items-center gap-2 in-[td]:flex-wrap in-[td]:gap-y-1 in-[td]:py-1.5">
        <Badge className="min-w-0 max-w-full shrink!" icon={<Tag aria-hidden="true" />}>
          <span title={tag} className="truncate">
            {tag}
          </span>
        </Badge>
        {!pushedAt && (
          <Badge tone="info" className="@3xl/page:in-[td]:hidden">
            Awaiting push
          </Badge>
        )}
      </div>
    ),
  },
  {
    heading: 'Size',
    className: 'hidden w-28 text-right @4xl/page:table-cell',
    card: 'none',
    cell: ({ size }) => <span className="whitespace-nowrap">{formatSize(size)}</span>,
  },
  {
    heading: 'Pulls',
    className: 'hidden w-20 text-right @5xl/page:table-cell',
    card: 'none',
    cell: ({ pullCount }) => pullCount,
  },
  {
    heading: 'Pushed',
    className: 'hidden w-36 @3xl/page:table-cell',
    card: 'none',
    cell: ({ pushedAt }) =>
      pushedAt ? (
        <span className="text-muted">
          <PushedAt at={pushedAt} />
        </span>
      ) : (
        <Badge tone="info">Awaiting push</Badge>
      ),
  },
  {
    heading: 'Actions',
    hideHeading: true,
    className: 'w-48 pl-0! text-right',
    card: 'end',
    cell: (image) => (
      <div className="in-[li]:mt-1">
        <PullInstructions image={image} />
      </div>
    ),
  },
];
