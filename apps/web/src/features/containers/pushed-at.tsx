import { formatAgo, formatInstant } from '../../lib/format.ts';

/** When an image was pushed last, if it ever was. */
export function PushedAt({ at }: { at: string | null }) {
  if (!at) return 'Never';
  return (
    <time dateTime={at} title={formatInstant(at)} className="whitespace-nowrap">
      {formatAgo(at)}
    </time>
  );
}
