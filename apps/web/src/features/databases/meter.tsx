import { Badge } from '../../ui/badge.tsx';
import { Progress } from '../../ui/progress.tsx';

/** Share of the limit from which on a person should act. */
const NEARLY = 0.9;

interface Amount {
  value: number;
  text: string;
}

export interface MeterProps {
  label: string;
  used: Amount;
  limit: Amount;
}

/** How much of a limit is used, in words and as a bar; it warns near the end. */
export function Meter({ label, used, limit }: MeterProps) {
  return (
    <div className="not-first:mt-5">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <span className="font-medium text-sm">{label}</span>
        <span className="text-muted text-sm">
          <span className="text-fg">{used.text}</span> of {limit.text}
        </span>
      </div>
      <Progress label={`${label} used`} value={used.value} max={limit.value} />
      <Warning used={used.value} limit={limit.value} />
    </div>
  );
}

function Warning({ used, limit }: { used: number; limit: number }) {
  if (used >= limit) {
    return (
      <Badge tone="danger" className="mt-2">
        At its limit
      </Badge>
    );
  }
  if (used < limit * NEARLY) return null;
  return (
    <Badge tone="warning" className="mt-2">
      Nearly at its limit
    </Badge>
  );
}
