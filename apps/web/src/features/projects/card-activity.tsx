import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { Sparkline } from '../../ui/sparkline.tsx';

/** What an app did in the last hour. All cards ask once, together. */
export function CardActivity({ projectId }: { projectId: string }) {
  const { data } = trpc.observability.activity.useQuery();
  const activity = data?.find((one) => one.projectId === projectId);
  if (!activity) return null;
  const requests = activity.requests.reduce((sum, count) => sum + count, 0);
  const memory = activity.memory.findLast((value) => value !== null) ?? null;
  return (
    <dl className="mt-4 grid grid-cols-2 gap-4 text-sm">
      <Figure
        term="Requests"
        value={`${requests.toLocaleString('en')} in the last hour`}
        short={requests.toLocaleString('en')}
        values={activity.requests}
        color="var(--chart-1)"
      />
      {memory !== null && (
        <Figure
          term="Memory"
          value={`${formatSize(memory)} now`}
          short={formatSize(memory)}
          values={activity.memory}
          color="var(--chart-2)"
        />
      )}
    </dl>
  );
}

interface FigureProps {
  term: string;
  value: string;
  short: string;
  values: readonly (number | null)[];
  color: string;
}

function Figure({ term, value, short, values, color }: FigureProps) {
  return (
    <div className="grid min-w-0 grid-cols-[auto_1fr] items-baseline gap-x-2">
      <dt className="text-faint">{term}</dt>
      <dd className="truncate text-right tabular-nums">{short}</dd>
      <dd className="col-span-2 mt-1">
        <Sparkline values={values} color={color} label={`${term}: ${value}`} />
      </dd>
    </div>
  );
}
