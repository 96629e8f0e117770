import type { Preview } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { AppLink } from '../../lib/app-link.tsx';
import { DeploymentStatusBadge } from '../../lib/deployment-status.tsx';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';

/** The projects of a project's branches, once there are any. */
export function PreviewsSection({ projectId }: { projectId: string }) {
  const { data: previews = [] } = trpc.previews.list.useQuery({ id: projectId });
  if (previews.length === 0) return null;
  return (
    <section aria-labelledby="previews" className="mt-8 flex flex-col gap-4">
      <h2 id="previews" className="font-semibold text-lg">
        Previews
      </h2>
      <DataList label="Previews" columns={COLUMNS} rows={previews} empty={null} />
    </section>
  );
}

const COLUMNS: readonly Column<Preview>[] = [
  {
    heading: 'Branch',
    card: 'title',
    cell: ({ id, branch, pullRequest }) => (
      <span className="inline-flex min-w-0 flex-wrap items-baseline gap-x-2">
        <Link
          to="/projects/$projectId"
          params={{ projectId: id }}
          className="break-all font-medium hover:underline"
        >
          {branch}
        </Link>
        {pullRequest !== null && <span className="text-muted text-sm">#{pullRequest}</span>}
      </span>
    ),
  },
  {
    heading: 'State',
    card: 'aside',
    cell: ({ state }) => <DeploymentStatusBadge status={state} />,
  },
  { heading: 'URL', card: 'line', cell: ({ url }) => <AppLink url={url} /> },
  {
    heading: 'Last push',
    className: 'whitespace-nowrap',
    cell: ({ pushedAt, endsAt }) => (
      <time
        dateTime={pushedAt}
        title={`${formatInstant(pushedAt)}. Deleted ${formatInstant(endsAt)} unless there is a push before.`}
        className="text-muted"
      >
        {formatAgo(pushedAt)}
      </time>
    ),
  },
];
