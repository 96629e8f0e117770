import type { ReactNode } from 'react';
import { useNarrow } from './use-narrow.ts';

/** Pixels below which the columns of the table have no room. */
const TABLE_WIDTH = 680;

export interface TableOrCardsProps {
  table: ReactNode;
  cards: ReactNode;
  className?: string;
}

/** The table where its columns have room, cards where they have not. */
export function TableOrCards({ table, cards, className }: TableOrCardsProps) {
  const [frame, narrow] = useNarrow<HTMLDivElement>(TABLE_WIDTH);
  return (
    <div ref={frame} className={className}>
      {narrow ? cards : table}
    </div>
  );
}
