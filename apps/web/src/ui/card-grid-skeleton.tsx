import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { classNames } from './class-names.ts';
import { SkeletonGroup } from './skeleton.tsx';

const CARDS = ['first', 'second', 'third'];

export interface CardGridSkeletonProps {
  /** What is loading, for screen readers. */
  label: string;
  /** Height of a card. */
  className: string;
  /** The inside of one card. */
  children: ReactNode;
}

/** Three cards in the shape of those that come. */
export function CardGridSkeleton({ label, className, children }: CardGridSkeletonProps) {
  return (
    <SkeletonGroup label={label}>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {CARDS.map((card) => (
          <div key={card} data-testid="skeleton-card">
            <Card className={classNames('flex flex-col', className)}>{children}</Card>
          </div>
        ))}
      </div>
    </SkeletonGroup>
  );
}
