import { Plus, Smartphone } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { CardPages } from '../../ui/card-pages.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { BuildConfigDialog } from './build-config-dialog.tsx';
import { MobileAppCard } from './mobile-app-card.tsx';
import { MobileAppsHeader } from './mobile-apps-header.tsx';
import { useShownConfig } from './mobile-apps-search.ts';
import { NewMobileAppDialog } from './new-mobile-app-dialog.tsx';

export function MobileAppsPage() {
  const [{ pages }, list] = trpc.mobileApps.list.useSuspenseInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  const { creating, setCreating } = useCreation();
  const { shown, show } = useShownConfig();

  return (
    <>
      <MobileAppsHeader
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" />
            New Mobile App
          </Button>
        }
      />
      {pages[0]?.length === 0 ? (
        <EmptyState
          icon={Smartphone}
          title="No mobile apps yet"
          description="Describe an app once: its Gradle files, manifest, Info.plist and the steps to build it are generated for you."
          action={<Button onClick={() => setCreating(true)}>Create your first mobile app</Button>}
        />
      ) : (
        <CardPages label="Mobile apps" pages={pages}>
          {(app) => <MobileAppCard app={app} onView={show} />}
        </CardPages>
      )}
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More mobile apps could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
      <NewMobileAppDialog open={creating} onOpenChange={setCreating} />
      <BuildConfigDialog app={pages.flat().find(({ id }) => id === shown)} onClose={() => show(undefined)} />
    </>
  );
}
