import type { ReactNode } from 'react';

export interface RecordListProps {
  label: string;
  children: ReactNode;
}

/** Records below each other, in one frame. */
export function RecordList({ label, children }: RecordListProps) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
    >
      {children}
    </ul>
  );
}
