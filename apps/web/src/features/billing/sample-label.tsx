import { Badge } from '../../ui/badge.tsx';

/** Marks figures that are made up, since nothing of the account was measured yet. */
export function SampleLabel() {
  return (
    <span title="Nothing of yours was measured yet: these are the figures of an example.">
      <Badge>Sample data</Badge>
    </span>
  );
}
