import { formatDate, formatInstant } from '../../lib/format.ts';

/** The day of an instant, whose time is its title; 'N/A' where there is none. */
export function Day({ instant }: { instant: string | null }) {
  if (!instant) return <span className="text-muted">{formatDate(null)}</span>;
  return (
    <time dateTime={instant} title={formatInstant(instant)} className="whitespace-nowrap text-muted">
      {formatDate(instant)}
    </time>
  );
}
