import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Characters of an id that are shown (specification §2). */
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
