import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { type LinkLook, Step } from '../ui/step.tsx';
import { PAGE_CHOICE } from './page-tabs.tsx';

/** Ranges of time by their names in an address, with those on the screen. */
export const RANGE_LABELS = { '1h': '1 hour', '24h': '24 hours', '7d': '7 days', '90d': '90 days' } as const;

/** How a link looks; one to a range says so by its text alone, and whether it is the one that is shown. */
export type TimeLinkLook = Pick<LinkLook, 'className' | 'children'> & {
  'aria-label'?: string;
  'aria-current'?: 'page' | undefined;
};

interface TimeRangeBarProps<Range extends keyof typeof RANGE_LABELS, Search> {
  ranges: readonly Range[];
  /** The one that is shown. */
  range: Range;
  /** Which time that is, and what the address says of the times beside it; absent while it loads. */
  span: { text: string; earlier: Search | null; later: Search | null } | false | undefined;
  /** What the address says of a range that ends now. */
  searchOf(range: Range): Search;
  link(search: Search, look: TimeLinkLook): ReactNode;
}

/** The choice of a range, and the ways to what was before and after. */
export function TimeRangeBar<Range extends keyof typeof RANGE_LABELS, Search>({
  ranges,
  range,
  span,
  searchOf,
  link,
}: TimeRangeBarProps<Range, Search>) {
  const step = (to: Search | null) => to && ((look: LinkLook) => link(to, look));
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <nav aria-label="Time range" className="flex flex-wrap gap-1">
        {ranges.map((one) => (
          <Fragment key={one}>
            {link(searchOf(one), {
              'aria-current': one === range ? 'page' : undefined,
              className: PAGE_CHOICE,
              children: RANGE_LABELS[one],
            })}
          </Fragment>
        ))}
      </nav>
      {span && (
        <div className="flex items-center gap-1">
          <span className="text-muted text-sm tabular-nums">{span.text}</span>
          <Step label="Earlier" icon={ChevronLeft} link={step(span.earlier)} />
          <Step label="Later" icon={ChevronRight} link={step(span.later)} />
        </div>
      )}
    </div>
  );
}
