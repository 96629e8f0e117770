import type { ReactNode } from 'react';

export interface StatusWithNoteProps {
  /** A sentence about the status; '' where there is none. */
  note: string;
  children: ReactNode;
}

export function StatusWithNote({ note, children }: StatusWithNoteProps) {
  if (!note) return children;
  return (
    <div className="flex max-w-56 flex-col items-start gap-1 py-2 text-left">
      {children}
      <span className="break-words text-muted text-sm">{note}</span>
    </div>
  );
}
