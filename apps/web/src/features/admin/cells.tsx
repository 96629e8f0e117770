import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDate, formatInstant } from '../../lib/format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Characters of an id that are shown. */
const SHOWN = 8;

interface ShortIdProps {
  id: string;
  /** What the id names, for example 'user ID'. */
  what: string;
}

function shorten(id: string): string {
  return `${id.slice(0, SHOWN)}...`;
}

/** The beginning of an id; the whole of it is its title, and what is copied. */
export function ShortId({ id, what }: ShortIdProps) {
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <code title={id} className="text-sm">
        {shorten(id)}
      </code>
      <CopyButton value={id} label={`Copy ${what} ${id}`} className="-mr-2" />
    </span>
  );
}

interface UserIdProps {
  id: string;
  email: string;
}

/** The short id of a user, which leads to that user among the others; and by whom it is told from ids that begin alike. */
export function UserId({ id, email }: UserIdProps) {
  return (
    <div className="min-w-0 py-1.5">
      <LinkedId id={id} />
      <span title={email} className="-mt-1 block max-w-44 truncate text-muted text-sm">
        {email}
      </span>
    </div>
  );
}

function LinkedId({ id }: Pick<UserIdProps, 'id'>) {
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <Link
        to="/admin"
        search={{ tab: undefined, q: id }}
        resetScroll={false}
        title={id}
        className="rounded-sm font-mono text-sm underline decoration-line-strong underline-offset-4 hover:decoration-current"
      >
        {shorten(id)}
      </Link>
      <CopyButton value={id} label={`Copy user ID ${id}`} className="-mr-2" />
    </span>
  );
}

/** The day of an instant, whose time is its title; 'N/A' where there is none. */
export function Day({ instant }: { instant: string | null }) {
  if (!instant) return <span className="text-muted">{formatDate(null)}</span>;
  return (
    <time dateTime={instant} title={formatInstant(instant)} className="whitespace-nowrap text-muted">
      {formatDate(instant)}
    </time>
  );
}

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
