import type { ReactNode } from 'react';
import { MorePages, type MorePagesProps } from './more-pages.tsx';

export interface CardPagesProps<Row> {
  /** Accessible name: what the cards are. */
  label: string;
  /** As they were fetched; all but the last fill their rows of one, two or three cards. */
  pages: readonly (readonly Row[])[];
  children: (row: Row) => ReactNode;
  /** Stands where there are none. */
  empty?: ReactNode;
  /** Where they are fetched page by page. */
  more?: MorePagesProps;
}

/**
 * A list of cards of which there may be thousands. Those out of sight cost nothing, by whole pages: Chromium takes
 * time by the square of the number of hidden boxes whenever it styles the page anew, as with each dialog.
 */
export function CardPages<Row extends { id: string }>({
  label,
  pages,
  children,
  empty,
  more,
}: CardPagesProps<Row>) {
  if (empty && pages[0]?.length === 0) return empty;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: in a `ul`, nothing may stand around its items */}
      <div role="list" aria-label={label} className="flex flex-col gap-4">
        {pages.map((rows, index) => (
          <div
            key={index}
            className="grid gap-4 [contain-intrinsic-height:auto_287rem] [content-visibility:auto] sm:grid-cols-2 @4xl/page:grid-cols-3"
          >
            {rows.map((row) => (
              // biome-ignore lint/a11y/useSemanticElements: see above
              <div key={row.id} role="listitem" className="min-w-0">
                {children(row)}
              </div>
            ))}
          </div>
        ))}
      </div>
      {more && <MorePages {...more} />}
    </>
  );
}
