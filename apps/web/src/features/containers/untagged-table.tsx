import type { UntaggedImage } from '@nephos/contracts';
import { formatSize } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { DeleteUntaggedImage } from './delete-untagged-image.tsx';
import { Digest, digestPrefix } from './digest.tsx';
import { kindOf } from './freed.ts';
import { PushedAt } from './pushed-at.tsx';

export interface UntaggedTableProps {
  images: readonly UntaggedImage[];
  label: string;
}

/** Untagged images by their digests. */
export function UntaggedTable({ images, label }: UntaggedTableProps) {
  return (
    <Table label={label}>
      <TableHead>
        <TableHeading>Digest</TableHeading>
        <TableHeading>Kind</TableHeading>
        <TableHeading className="text-right">Size</TableHeading>
        <TableHeading>Pushed</TableHeading>
        <TableHeading className="w-12">
          <span className="sr-only">Actions</span>
        </TableHeading>
      </TableHead>
      <TableBody>
        {images.map((image) => (
          <TableRow key={image.id}>
            <TableCell>
              <Digest digest={image.digest} of={digestPrefix(image.digest)} />
            </TableCell>
            <TableCell className="whitespace-nowrap text-sm">
              <span className="flex items-center gap-2">
                {kindOf(image)}
                {image.isRecent && <Badge tone="info">Push may go on</Badge>}
              </span>
            </TableCell>
            <TableCell className="whitespace-nowrap text-right">{formatSize(image.size)}</TableCell>
            <TableCell className="text-muted">
              <PushedAt at={image.pushedAt} />
            </TableCell>
            <TableCell>
              <DeleteUntaggedImage image={image} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
