import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { classNames } from './class-names.ts';
import { PageHeader, type PageHeaderProps } from './page-header.tsx';
import { Skeleton, SkeletonGroup } from './skeleton.tsx';

export interface CardShape {
  /** Height of a card, as a class. */
  height: string;
  /** How many cards; absent, 3. */
  count?: number;
  /** Whether the first line begins with an icon, and whether it ends with a badge. */
  icon?: boolean;
  badge?: boolean;
  /** Lines of text between the first and the buttons. */
  lines: number;
  /** Width of the buttons at the end, as a class. */
  button: string;
}

export interface PageSkeletonProps {
  /** What is loading, for screen readers. */
  label: string;
  /** What the page begins with, where that is known; absent, it is the page of one thing: a way back, a name, a line. */
  heading?: Pick<PageHeaderProps, 'title' | 'description'>;
  /** Width of the buttons at the top right, as a class. */
  action?: string;
  /** What stands between heading and contents, each as the class of its size. */
  bars?: readonly string[];
  cards?: CardShape;
  /** A shape that is none of these. */
  children?: ReactNode;
}

/** Outlines a page while its data loads. */
export function PageSkeleton({ label, heading, action, bars = [], cards, children }: PageSkeletonProps) {
  const buttons = action && <Skeleton className={classNames('h-9', action)} />;
  return (
    <>
      {heading && <PageHeader {...heading} action={buttons} />}
      <SkeletonGroup label={label}>
        {!heading && <ThingHeader action={buttons} />}
        {bars.map((bar) => (
          <Skeleton key={bar} className={bar} />
        ))}
        {cards && <CardShapes {...cards} />}
        {children}
      </SkeletonGroup>
    </>
  );
}

function ThingHeader({ action }: { action: ReactNode }) {
  return (
    <>
      <Skeleton className="mb-3 h-5 w-40" />
      <div className="mb-6 flex flex-wrap justify-between gap-4">
        <div className="grow">
          <Skeleton className="h-8 w-56 max-w-full" />
          <Skeleton className="mt-2 h-5 w-72 max-w-full" />
        </div>
        {action}
      </div>
    </>
  );
}

/** Cards in the shape of those that come. */
export function CardShapes({ height, count = 3, icon, badge, lines, button }: CardShape) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} data-testid="skeleton-card">
          <Card className={classNames('flex flex-col', height)}>
            <div className="mb-3.5 flex items-center gap-3">
              {icon && <Skeleton className="size-9" />}
              <Skeleton className="h-6 w-2/5" />
              {badge && <Skeleton className="ml-auto h-6 w-20 rounded-full" />}
            </div>
            {Array.from({ length: lines }, (_, line) => (
              <Skeleton key={line} className="mt-1.5 h-5 w-3/5" />
            ))}
            <Skeleton className={classNames('mt-auto h-8', button)} />
          </Card>
        </div>
      ))}
    </div>
  );
}
