import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A grey stand-in; give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      data-testid="skeleton"
      className={classNames('animate-pulse rounded-md bg-hover', className)}
    />
  );
}

/** Around a group of skeletons: says once, to those who cannot see them, that something is loading. */
export function SkeletonGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
