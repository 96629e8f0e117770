import type { AlertKind } from '@nephos/contracts';
import { ALERT_RULES, CHOSEN_ALERT_KINDS } from '@nephos/contracts/constants';
import { useSearch } from '@tanstack/react-router';
import { AlertRows } from '../../lib/alert-rows.tsx';
import { FIRST_PAGE, LIST_PAGES } from '../../lib/keyset-pages.ts';
import { MarkAllRead } from '../../lib/mark-all-read.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useChangeSearch } from '../../lib/use-change-search.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import type { AlertsSearch, AlertView } from './alerts-search.ts';
import { ChannelsSection } from './channels-section.tsx';
import { PreferencesSection } from './preferences-section.tsx';

const VIEWS = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'open', label: 'Not over yet' },
] as const satisfies readonly { value: AlertView; label: string }[];

const ANY = 'any';
const KINDS: readonly SelectOption<AlertKind | typeof ANY>[] = [
  { value: ANY, label: 'Any kind' },
  ...CHOSEN_ALERT_KINDS.map((value) => ({ value, label: ALERT_RULES[value].title })),
];

export function AlertsPage() {
  const { view, kind }: AlertsSearch = useSearch({ strict: false });
  const change = useChangeSearch<AlertsSearch>();
  const list = trpc.alerts.list.useInfiniteQuery(
    { ...FIRST_PAGE, ...(view && { view }), ...(kind && { kind }) },
    LIST_PAGES,
  );
  return (
    <>
      <PageHeader {...HEADINGS.alerts} />
      <section aria-label="List" className="max-w-4xl">
        <div className="mb-4 flex flex-wrap items-center gap-2">
          <Select
            aria-label="Which alerts"
            className="w-40!"
            value={view ?? 'all'}
            options={VIEWS}
            onValueChange={(value) => change({ view: value === 'all' ? undefined : value })}
          />
          <Select<AlertKind | typeof ANY>
            aria-label="Kind of alert"
            className="w-64!"
            value={kind ?? ANY}
            options={KINDS}
            onValueChange={(value) => change({ kind: value === ANY ? undefined : value })}
          />
          <MarkAllRead newest={view || kind ? undefined : list.data?.pages[0]?.[0]} />
        </div>
        <AlertRows
          list={list}
          empty={
            view || kind
              ? 'No alerts match.'
              : 'Nothing needs your attention. Failed deployments, crashes and the like will be listed here.'
          }
        />
      </section>
      <h2 className="mt-10 mb-4 font-semibold text-lg">Who is told</h2>
      <div className="grid max-w-4xl gap-6">
        <ChannelsSection />
        <PreferencesSection />
      </div>
    </>
  );
}
