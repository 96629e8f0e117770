import type { ContainerImageDetail } from '@nephos/contracts';
import { formatSize } from '../../lib/format.ts';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { Digest } from './digest.tsx';

export interface LayerTableProps {
  layers: ContainerImageDetail['platforms'][number]['layers'];
  label: string;
}

/** Layers from the bottom up. */
export function LayerTable({ layers, label }: LayerTableProps) {
  if (layers.length === 0) return <p className="text-muted text-sm">It has no layers.</p>;
  return (
    <Table label={label}>
      <TableHead>
        <TableHeading className="w-12 text-right">#</TableHeading>
        <TableHeading>Digest</TableHeading>
        <TableHeading>Media type</TableHeading>
        <TableHeading className="text-right">Size</TableHeading>
      </TableHead>
      <TableBody>
        {layers.map(({ digest, mediaType, size }, index) => (
          // An image may have the same layer twice.
          <TableRow key={`${index} ${digest}`}>
            <TableCell className="text-right text-faint">{index + 1}</TableCell>
            <TableCell>
              <Digest digest={digest} of={`layer ${index + 1}`} />
            </TableCell>
            <TableCell className="whitespace-nowrap text-muted text-sm">{mediaType}</TableCell>
            <TableCell className="whitespace-nowrap text-right">{formatSize(size)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
