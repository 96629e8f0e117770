import { CopyButton } from '../../ui/copy-button.tsx';

/** Hexadecimal digits that tell digests apart at a glance. */
const SHOWN_DIGITS = 12;

/** The beginning of a digest; the whole of it lands on the clipboard. */
export function Digest({ digest, of }: { digest: string /** What it is the digest of. */; of: string }) {
  const [algorithm, digits = ''] = digest.split(':');
  return (
    <span className="inline-flex items-center gap-1">
      <code title={digest} className="text-sm">
        {algorithm}:{digits.slice(0, SHOWN_DIGITS)}
      </code>
      <CopyButton value={digest} label={`Copy the digest of ${of}`} />
    </span>
  );
}
