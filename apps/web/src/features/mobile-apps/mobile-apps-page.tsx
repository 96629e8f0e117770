import { MOBILE_APP_SORTS } from '@nephos/contracts/constants';
import { Plus, Smartphone } from 'lucide-react';
import { useMemo } from 'react';
import { useCreation } from '../../lib/creation.ts';
import { LIST_PAGES } from '../../lib/keyset-pages.ts';
import { useListView } from '../../lib/list-view.ts';
import { ResourceList } from '../../lib/resource-list.tsx';
import { trpc } from '../../lib/trpc.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BuildConfigDialog } from './build-config-dialog.tsx';
import { MobileAppCard } from './mobile-app-card.tsx';
import { mobileAppColumns } from './mobile-app-columns.tsx';
import { useShownConfig } from './mobile-apps-search.ts';

const NewMobileAppDialog = lateDialog({ fields: 5 }, () =>
  import('./new-mobile-app-dialog.tsx').then(({ NewMobileAppDialog }) => NewMobileAppDialog),
);

export function MobileAppsPage() {
  const view = useListView(MOBILE_APP_SORTS);
  const list = trpc.mobileApps.list.useInfiniteQuery(view.first, LIST_PAGES);
  const { creating, setCreating, opener } = useCreation();
  const { shown, show } = useShownConfig();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it does stays the same, by whatever function
  const columns = useMemo(() => mobileAppColumns(show), []);

  return (
    <>
      <PageHeader
        {...HEADINGS.mobileApps}
        action={
          <Button variant="primary" {...opener}>
            <Plus aria-hidden="true" />
            New Mobile App
          </Button>
        }
      />
      <ResourceList
        label="Mobile apps"
        nouns={['mobile app', 'mobile apps']}
        list={list}
        view={view}
        card={(app) => <MobileAppCard app={app} onView={show} />}
        columns={columns}
        empty={
          <EmptyState
            icon={Smartphone}
            title="No mobile apps yet"
            description="Enter your app's settings once, then generate its Gradle script, manifest, Info.plist and build instructions."
            action={<Button {...opener}>Create your first mobile app</Button>}
          />
        }
      />
      {creating && <NewMobileAppDialog onClose={() => setCreating(false)} />}
      <BuildConfigDialog
        app={list.data?.pages.flat().find(({ id }) => id === shown)}
        onClose={() => show(undefined)}
      />
    </>
  );
}
