import { LIST_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';
import { useUser } from '../../lib/use-user.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ActivityFilter } from './activity-filter.tsx';
import { ActivityList } from './activity-list.tsx';
import { firstRecords, useActivityView } from './activity-search.ts';
import { SealedChain } from './sealed-chain.tsx';

const NONE = { q: undefined, kind: undefined, span: undefined, by: undefined, thing: undefined };
/** What others do has no write of ours that says so: each visit asks again. */
const FRESH = { refetchOnMount: 'always' } as const;

/** Who did what in the workspace. */
export function ActivityPage() {
  const { search, change } = useActivityView();
  const list = trpc.audit.list.useInfiniteQuery(firstRecords(search), { ...LIST_PAGES, ...FRESH });
  const chain = trpc.audit.chain.useQuery(undefined, FRESH);
  const { id, personal } = useWorkspace();
  // A guest sees no log-ins, without which a chain cannot be checked.
  const isGuest = useUser().id !== id && personal;
  return (
    <>
      <PageHeader title="Activity" description="Who changed what, when and from where." />
      <Narrowed list={list} search={search} change={change} />
      {!isGuest && <SealedChain chain={chain.data} exportPath="/api/audit/export" />}
    </>
  );
}

/** The administrators' list: what was done to the installation. */
export function InstallationActivity() {
  const { search, change } = useActivityView();
  const list = trpc.audit.installation.useInfiniteQuery(
    { ...firstRecords(search), everyone: true },
    { ...LIST_PAGES, ...FRESH },
  );
  const chain = trpc.audit.installationChain.useQuery(undefined, FRESH);
  return (
    <>
      <Narrowed list={list} search={search} change={change} />
      <SealedChain chain={chain.data} exportPath="/api/admin/audit/export" />
    </>
  );
}

type View = ReturnType<typeof useActivityView>;

function Narrowed({ list, search, change }: View & { list: Parameters<typeof ActivityList>[0]['list'] }) {
  const isNarrowed = Object.keys(NONE).some((key) => search[key as keyof typeof NONE] !== undefined);
  return (
    <ActivityList
      list={list}
      filter={<ActivityFilter />}
      showAll={isNarrowed ? () => change(NONE) : undefined}
      onWho={(by) => change({ by })}
      onThing={(thing) => change({ thing })}
    />
  );
}
