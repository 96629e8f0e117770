import type { ReactNode } from 'react';

export interface RowTitleProps {
  icon?: ReactNode;
  /** The thing's name, a link where it has a page. */
  children: ReactNode;
  /** The whole name, for where it is cut off. */
  title: string;
  /** Second line, such as where the thing is. */
  detail?: ReactNode;
  /** What the table has columns for: said below the name where it is a card. */
  facts: ReactNode;
}

/** What a row is: one or two lines that are cut off rather than wrapped, so that all rows are as high. */
export function RowTitle({ icon, children, title, detail, facts }: RowTitleProps) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      {icon}
      <div className="min-w-0">
        <p className="truncate font-medium" title={title}>
          {children}
        </p>
        {detail && <p className="truncate font-normal text-faint text-xs">{detail}</p>}
        <p className="mt-0.5 truncate font-normal text-muted text-sm in-[td]:hidden">{facts}</p>
      </div>
    </div>
  );
}
