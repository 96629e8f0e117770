import type { ContainerImageDetail } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { formatSize } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { Digest } from './digest.tsx';
import { PushedAt } from './pushed-at.tsx';

/** All tags of the image's repository. */
export function TagTable({ image: { id: shown, tags } }: { image: ContainerImageDetail }) {
  return (
    <section>
      <h2 className="mb-3 font-semibold text-lg">Tags</h2>
      <Table label="Tags">
        <TableHead>
          <TableHeading>Tag</TableHeading>
          <TableHeading>Digest</TableHeading>
          <TableHeading className="text-right">Size</TableHeading>
          <TableHeading className="text-right">Pulls</TableHeading>
          <TableHeading>Pushed</TableHeading>
        </TableHead>
        <TableBody>
          {tags.map(({ id, tag, digest, size, pullCount, pushedAt }) => (
            <TableRow key={id}>
              <TableCell>
                <span className="flex items-center gap-2 whitespace-nowrap font-medium">
                  {id === shown ? (
                    <span>{tag}</span>
                  ) : (
                    <Link
                      to="/containers/$imageId"
                      params={{ imageId: id }}
                      className="rounded-sm underline-offset-4 hover:underline"
                    >
                      {tag}
                    </Link>
                  )}
                  {id === shown && <Badge>This tag</Badge>}
                </span>
              </TableCell>
              <TableCell>{digest ? <Digest digest={digest} of={tag} /> : '–'}</TableCell>
              <TableCell className="whitespace-nowrap text-right">{formatSize(size)}</TableCell>
              <TableCell className="text-right">{pullCount}</TableCell>
              <TableCell className="text-muted">
                <PushedAt at={pushedAt} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </section>
  );
}
