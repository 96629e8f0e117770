import { createFileRoute } from '@tanstack/react-router';
import { ActivityPage } from '../../features/activity/activity-page.tsx';
import { activitySearch } from '../../features/activity/activity-search.ts';

export const Route = createFileRoute('/_console/activity')({
  validateSearch: activitySearch,
  component: ActivityPage,
});
