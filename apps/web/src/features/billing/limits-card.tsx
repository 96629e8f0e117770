import { LIMITED, type Limited } from '@nephos/contracts/constants';
import { formatSize } from '../../lib/format.ts';
import { LIMIT_NAMES } from '../../lib/limit-names.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Progress } from '../../ui/progress.tsx';

/** How much there is of what is limited, and may be, by the plan or by an admin. */
export function LimitsCard() {
  const limits = trpc.billing.limits.useQuery(undefined, { refetchOnMount: 'always' });
  return (
    <Card className="mb-6 min-h-40">
      <CardHeader title="Limits" description="Your usage and limits." />
      {limits.error && <LoadFailure query={limits} failure="Failed to load your limits" />}
      {limits.data && (
        <dl className="mt-4 grid gap-x-10 gap-y-4 sm:grid-cols-2">
          {LIMITED.map((name) => (
            <Use
              key={name}
              name={name}
              {...limits.data[name]}
              isSet={limits.data.setByAdmin.includes(name)}
            />
          ))}
        </dl>
      )}
    </Card>
  );
}

interface UseProps {
  name: Limited;
  used: number;
  limit: number | null;
  /** Whether an admin set it. */
  isSet: boolean;
}

function Use({ name, used, limit, isSet }: UseProps) {
  const noun = LIMIT_NAMES[name];
  const say = (amount: number) => (name === 'storage' ? formatSize(amount) : String(amount));
  return (
    <div className="min-w-0">
      <dt className="text-muted text-sm first-letter:uppercase">{noun}</dt>
      <dd>
        <p className="mt-0.5 mb-1.5 font-medium">
          {limit === null ? `${say(used)}, no limit` : `${say(used)} of ${say(limit)}`}
          {isSet && <span className="font-normal text-faint text-sm"> · set by an admin</span>}
        </p>
        {limit !== null && <Progress label={`Used ${noun}`} value={used} max={limit} />}
      </dd>
    </div>
  );
}
