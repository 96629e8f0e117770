import type { ReactNode } from 'react';

/** A column of specification §2; where the table has no room, a line of each row's card. */
export interface Column<Row> {
  heading: string;
  cell: (row: Row) => ReactNode;
  /** Of heading and cell. */
  className?: string;
  /** Size of what stands in for a cell while it loads; absent, that of a date. */
  skeleton?: string;
}
