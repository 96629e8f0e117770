import type { ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';

export interface StatusCardProps {
  badge: ReactNode;
  children: ReactNode;
}

/** The frame of what an account may use, whatever that is. */
export function StatusCard({ badge, children }: StatusCardProps) {
  return (
    <Card className="mb-6">
      {/* The badges go below the title where there is no room for both. */}
      <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 className="font-semibold text-lg">Subscription Status</h2>
        <div className="flex flex-wrap items-center gap-2">{badge}</div>
      </header>
      <div className="mt-4 flex flex-col gap-4">{children}</div>
    </Card>
  );
}

export interface Fact {
  term: string;
  value: string;
}

/** A few facts, side by side where there is room. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-3">
      {facts.map(({ term, value }) => (
        <div key={term}>
          <dt className="text-muted text-sm">{term}</dt>
          <dd className="mt-0.5 font-semibold text-lg">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
