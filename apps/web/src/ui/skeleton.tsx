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

/** Fields of a form, each with its label. */
export function FieldSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    <div key={index} className="flex flex-col gap-1.5">
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-9" />
    </div>
  ));
}
