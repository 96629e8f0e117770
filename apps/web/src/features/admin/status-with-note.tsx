import type { ReactNode } from 'react';

export interface StatusWithNoteProps {
  /** A sentence about the status; '' where there is none. */
  note: string;
  children: ReactNode;
}

export function StatusWithNote({ note, children }: StatusWithNoteProps) {
  if (!note) return children;
  return (
    <div className="max-w-56 py-2">
      {children}
      <span className="mt-1 block break-words text-muted text-sm">{note}</span>
    </div>
  );
}
