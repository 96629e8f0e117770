import { formatAgo, formatInstant } from '../../lib/format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Hexadecimal digits that tell digests apart at a glance. */
const SHOWN_DIGITS = 12;

/** What a digest is told by: `sha256:` and its first digits. */
export function digestPrefix(digest: string): string {
  const [algorithm, digits = ''] = digest.split(':');
  return `${algorithm}:${digits.slice(0, SHOWN_DIGITS)}`;
}

/** What a button is told that deletes what a project needs: it stays in reach, and says why it does nothing. */
export function keptProps(keptBecause: string, id: string, open: () => void) {
  return keptBecause === ''
    ? { onClick: open }
    : ({ 'aria-disabled': true, 'aria-describedby': id } as const);
}

/** The beginning of a digest; the whole of it lands on the clipboard. */
export function Digest({ digest, of }: { digest: string /** What it is the digest of. */; of: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code title={digest} className="text-sm">
        {digestPrefix(digest)}
      </code>
      <CopyButton value={digest} label={`Copy the digest of ${of}`} />
    </span>
  );
}

/** When an image was pushed last, if it ever was. */
export function PushedAt({ at }: { at: string | null }) {
  if (!at) return 'Never';
  return (
    <time dateTime={at} title={formatInstant(at)} className="whitespace-nowrap">
      {formatAgo(at)}
    </time>
  );
}
