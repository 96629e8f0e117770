import type { ReactNode } from 'react';
import { Card, CardHeader } from '../../ui/card.tsx';

export interface StatusCardProps {
  badge: ReactNode;
  children: ReactNode;
}

/** The frame of what an account may use, whatever that is. */
export function StatusCard({ badge, children }: StatusCardProps) {
  return (
    <Card className="mb-6">
      <CardHeader title="Subscription Status" aside={badge} />
      <div className="mt-4 flex flex-col gap-4">{children}</div>
    </Card>
  );
}
