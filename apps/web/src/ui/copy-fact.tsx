import { CopyButton } from './copy-button.tsx';

export interface CopyFactProps {
  term: string;
  value: string;
  /** What the copy button says. */
  label: string;
}

/** A term and a value that is copied elsewhere; stands in a `dl` with two columns. */
export function CopyFact({ term, value, label }: CopyFactProps) {
  return (
    <>
      <dt>{term}</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <code className="wrap-anywhere text-fg text-sm">{value}</code>
        <CopyButton value={value} label={label} />
      </dd>
    </>
  );
}
