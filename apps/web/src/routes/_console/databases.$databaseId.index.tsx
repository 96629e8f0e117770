import { createFileRoute } from '@tanstack/react-router';
import { LateActivity } from '../../features/activity/late-activity.tsx';
import { DatabaseOverview } from '../../features/databases/database-page.tsx';

export const Route = createFileRoute('/_console/databases/$databaseId/')({ component: Page });

function Page() {
  return (
    <>
      <DatabaseOverview />
      <LateActivity id={Route.useParams().databaseId} />
    </>
  );
}
