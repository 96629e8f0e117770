import type { MobileApp } from '@nephos/contracts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { RowTitle } from '../../ui/row-title.tsx';
import { MobileAppActions } from './mobile-app-card.tsx';
import { BuildStatus, METHOD_NAMES, PLATFORM_NAMES, PlatformIcon } from './mobile-app-words.tsx';

/** Everything that an app's card says and offers; `onView` shows its configuration. */
export function mobileAppColumns(onView: (id: string) => void): readonly Column<MobileApp>[] {
  return [
    {
      heading: 'Name',
      card: 'title',
      cell: ({ name, bundleId, platform, version, buildNumber }) => (
        <RowTitle
          icon={<PlatformIcon platform={platform} />}
          title={name}
          detail={<span className="font-mono">{bundleId}</span>}
          facts={`${version} (${buildNumber}) · ${PLATFORM_NAMES[platform]}`}
        >
          {name}
        </RowTitle>
      ),
    },
    {
      heading: 'Status',
      className: 'w-32',
      card: 'aside',
      cell: ({ buildStatus }) => <BuildStatus status={buildStatus} />,
    },
    {
      heading: 'Version',
      className: 'w-28',
      card: 'none',
      cell: ({ version, buildNumber }) => (
        <span className="whitespace-nowrap">
          {version} ({buildNumber})
        </span>
      ),
    },
    {
      heading: 'Platform',
      className: 'hidden w-40 @5xl/page:table-cell',
      card: 'none',
      cell: ({ platform }) => <span className="text-muted">{PLATFORM_NAMES[platform]}</span>,
    },
    {
      heading: 'Deployment',
      className: 'hidden w-32 @4xl/page:table-cell',
      card: 'none',
      cell: ({ deploymentMethod }) =>
        deploymentMethod === 'manual' ? null : <Badge>{METHOD_NAMES[deploymentMethod]}</Badge>,
    },
    {
      heading: 'Actions',
      hideHeading: true,
      className: 'w-60 pl-0!',
      card: 'end',
      cell: (app) => <MobileAppActions app={app} onView={onView} />,
    },
  ];
}
