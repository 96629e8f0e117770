import { FlaskConical } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';

/** Marks an account into which money came that the sandbox rail made up. */
export function TestFunds() {
  return (
    <span title="It holds money of the sandbox rail, which is worth nothing outside of this console.">
      <Badge icon={<FlaskConical aria-hidden="true" />}>Test funds</Badge>
    </span>
  );
}
