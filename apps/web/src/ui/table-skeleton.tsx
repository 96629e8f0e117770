import { Skeleton, SkeletonGroup } from './skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from './table.tsx';

const ROWS = ['first', 'second', 'third'];

export interface TableSkeletonColumn {
  heading: string;
  /** Width of what stands in for a cell. */
  className: string;
}

export interface TableSkeletonProps {
  /** What is loading, for screen readers. */
  label: string;
  columns: readonly TableSkeletonColumn[];
}

/** Three rows in the shape of those that come, below the headings that they have. */
export function TableSkeleton({ label, columns }: TableSkeletonProps) {
  return (
    <SkeletonGroup label={label}>
      <Table label={label}>
        <TableHead>
          {columns.map(({ heading }) => (
            <TableHeading key={heading}>{heading}</TableHeading>
          ))}
        </TableHead>
        <TableBody>
          {ROWS.map((row) => (
            <TableRow key={row} data-testid="skeleton-row">
              {columns.map(({ heading, className }) => (
                <TableCell key={heading}>
                  <Skeleton className={className} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </SkeletonGroup>
  );
}
