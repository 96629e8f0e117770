import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { NAVIGATION } from './navigation.ts';
import { UPCOMING, type UpcomingPath } from './upcoming-screens.ts';

const ICONS = new Map<string, (typeof NAVIGATION)[number]['entries'][number]['icon']>(
  NAVIGATION.flatMap((group) => group.entries.map(({ path, icon }) => [path, icon] as const)),
);

/** Stands in for a screen that a later version brings, and says so. */
export function UpcomingPage({ path }: { path: UpcomingPath }) {
  const { title, purpose, will } = UPCOMING[path];
  const icon = ICONS.get(path);
  return (
    <>
      <PageHeader title={title} description={purpose} />
      {icon && (
        <EmptyState
          icon={icon}
          title="Not part of this version yet"
          description={`${will} It comes with a later version.`}
        />
      )}
    </>
  );
}
