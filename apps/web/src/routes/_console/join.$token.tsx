import { createFileRoute } from '@tanstack/react-router';
import { JoinPage } from '../../features/join/join-page.tsx';

export const Route = createFileRoute('/_console/join/$token')({ component: Page });

function Page() {
  return <JoinPage token={Route.useParams().token} />;
}
