import { Plus, Smartphone } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { Button } from '../../ui/button.tsx';
import { CardPages } from '../../ui/card-pages.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BuildConfigDialog } from './build-config-dialog.tsx';
import { MobileAppCard } from './mobile-app-card.tsx';
import { useShownConfig } from './mobile-apps-search.ts';
import { NewMobileAppDialog } from './new-mobile-app-dialog.tsx';

export function MobileAppsPage() {
  const [{ pages }, list] = trpc.mobileApps.list.useSuspenseInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  const { creating, setCreating } = useCreation();
  const { shown, show } = useShownConfig();

  return (
    <>
      <PageHeader
        {...HEADINGS.mobileApps}
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" />
            New Mobile App
          </Button>
        }
      />
      <CardPages
        label="Mobile apps"
        pages={pages}
        empty={
          <EmptyState
            icon={Smartphone}
            title="No mobile apps yet"
            description="Enter your app's settings once, then generate its Gradle script, manifest, Info.plist and build instructions."
            action={<Button onClick={() => setCreating(true)}>Create your first mobile app</Button>}
          />
        }
        more={{ list, failure: 'More mobile apps could not be loaded.' }}
      >
        {(app) => <MobileAppCard app={app} onView={show} />}
      </CardPages>
      {creating && <NewMobileAppDialog onClose={() => setCreating(false)} />}
      <BuildConfigDialog app={pages.flat().find(({ id }) => id === shown)} onClose={() => show(undefined)} />
    </>
  );
}
