import type { ContainerImageDetail } from '@nephos/contracts';
import { formatSize } from '../../lib/format.ts';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { Digest } from './digest.tsx';

/** Signatures, attestations and other artifacts about this image. */
export function ReferrerTable({ referrers }: { referrers: ContainerImageDetail['referrers'] }) {
  return (
    <section>
      <h2 className="mb-3 font-semibold text-lg">Referrers</h2>
      {referrers.length === 0 ? (
        <p className="text-muted">No signature, attestation or other artifact refers to this image.</p>
      ) : (
        <Table label="Referrers">
          <TableHead>
            <TableHeading>Type</TableHeading>
            <TableHeading>Digest</TableHeading>
            <TableHeading className="text-right">Size</TableHeading>
          </TableHead>
          <TableBody>
            {referrers.map(({ digest, artifactType, mediaType, size }) => (
              <TableRow key={digest}>
                <TableCell>{artifactType || mediaType}</TableCell>
                <TableCell>
                  <Digest digest={digest} of={artifactType || mediaType} />
                </TableCell>
                <TableCell className="whitespace-nowrap text-right">{formatSize(size)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </section>
  );
}
