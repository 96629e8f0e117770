import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { classNames } from './class-names.ts';
import { SkeletonGroup } from './skeleton.tsx';

export interface CardGridSkeletonProps {
  /** What is loading, for screen readers. */
  label: string;
  /** Height of a card. */
  className: string;
  /** How many cards; 3 where nothing else is said (specification §9). */
  count?: number;
  /** The inside of one card. */
  children: ReactNode;
}

/** Cards in the shape of those that come. */
export function CardGridSkeleton({ label, className, count = 3, children }: CardGridSkeletonProps) {
  return (
    <SkeletonGroup label={label}>
      <div className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
        {Array.from({ length: count }, (_, index) => (
          <div key={index} data-testid="skeleton-card">
            <Card className={classNames('flex flex-col', className)}>{children}</Card>
          </div>
        ))}
      </div>
    </SkeletonGroup>
  );
}
