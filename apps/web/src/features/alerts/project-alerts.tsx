import { AlertRows } from '../../lib/alert-rows.tsx';
import { FIRST_PAGE, LIST_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';

/** The alerts of a project, once there are any. */
export function ProjectAlerts({ projectId }: { projectId: string }) {
  const list = trpc.alerts.list.useInfiniteQuery({ ...FIRST_PAGE, projectId }, LIST_PAGES);
  const isEmpty = list.data?.pages.flat().length === 0;
  if (isEmpty || (!list.data && !list.error)) return null;
  return (
    <section aria-labelledby="project-alerts" className="mt-8 flex max-w-4xl flex-col gap-4">
      <h2 id="project-alerts" className="font-semibold text-lg">
        Alerts
      </h2>
      <AlertRows list={list} empty="" />
    </section>
  );
}
