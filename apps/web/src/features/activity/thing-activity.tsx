import { LIST_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';
import { ActivityList } from './activity-list.tsx';
import { firstRecords } from './activity-search.ts';

/** Who did what to one thing. */
export function ThingActivity({ id }: { id: string }) {
  const list = trpc.audit.list.useInfiniteQuery(firstRecords({ thing: id }), {
    ...LIST_PAGES,
    refetchOnMount: 'always',
  });
  return <ActivityList list={list} />;
}
