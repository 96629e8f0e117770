import { getRouteApi } from '@tanstack/react-router';
import { trpc } from '../../lib/trpc.ts';
import { Notice } from '../../ui/notice.tsx';
import { FigureCharts } from './charts-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { StatementsSection } from './statements-section.tsx';

const route = getRouteApi('/_console/databases/$databaseId/figures');

/** What a database does, as its server tells. */
export function FiguresPage() {
  const { databaseId } = route.useParams();
  const search = route.useSearch();
  const [{ type, status, activity }] = trpc.databases.get.useSuspenseQuery({ id: databaseId });
  if (type !== 'postgresql')
    return <Notice tone="info" title="There are figures of PostgreSQL databases only." />;
  if (status !== 'available')
    return <p className="text-muted">Figures appear once the database is available.</p>;
  return (
    <div key={databaseId} className="flex flex-col gap-8">
      <FigureCharts id={databaseId} search={search} sleeps={activity !== null} />
      <SessionsSection id={databaseId} />
      <StatementsSection id={databaseId} />
    </div>
  );
}
