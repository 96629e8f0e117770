import type { KeptStatement } from '@nephos/contracts';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

interface StatementHistoryProps {
  id: string;
  /** Puts a statement into the editor. */
  onUse: (sql: string) => void;
}

/** One's own last statements. */
export function StatementHistory({ id, onUse }: StatementHistoryProps) {
  const statements = trpc.databaseContents.statements.useQuery({ id }, { staleTime: 0 });
  return (
    <section aria-label="Your last statements">
      <h2 className="mb-2 font-semibold">Your last statements</h2>
      {statements.error && <LoadFailure query={statements} failure="Failed to load your last statements" />}
      {!statements.error && !statements.data && <Skeleton className="h-16" />}
      {statements.data?.length === 0 && (
        <p className="text-muted">What you run appears here. Nobody else can see it.</p>
      )}
      <ul className="flex max-h-80 flex-col gap-1 overflow-y-auto">
        {statements.data?.map((statement) => (
          <li key={statement.id}>
            <Entry statement={statement} onUse={onUse} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ statement, onUse }: { statement: KeptStatement; onUse: (sql: string) => void }) {
  const { sql, error, command, milliseconds, createdAt } = statement;
  return (
    <button
      type="button"
      onClick={() => onUse(sql)}
      title="Put it into the editor"
      className="flex w-full flex-wrap items-baseline justify-between gap-x-4 rounded-md px-2 py-1.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
    >
      <code className="min-w-0 basis-64 grow truncate text-sm">{sql}</code>
      <span className={error ? 'text-danger text-sm' : 'text-muted text-sm'}>
        {error ? 'Failed' : `${command} · ${milliseconds} ms`} ·{' '}
        <time dateTime={createdAt} title={formatInstant(createdAt)}>
          {formatAgo(createdAt)}
        </time>
      </span>
    </button>
  );
}
