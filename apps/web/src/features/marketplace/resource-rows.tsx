import type { ReceiptEntry, ResourceKind } from '@nephos/contracts';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Boxes, Database, File, Globe, type LucideIcon, Rocket, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';

interface ResourceRow {
  key: string;
  kind: ResourceKind;
  name: ReactNode;
  /** At the right: what becomes of it. */
  note?: ReactNode;
}

interface ResourceRowsProps {
  /** Accessible name of the list. */
  label: string;
  rows: readonly ResourceRow[];
}

/** Resources, one in each line: what is made, what was made, what goes. */
export function ResourceRows({ label, rows }: ResourceRowsProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line bg-sunken text-sm">
      {rows.map(({ key, kind, name, note }) => {
        const { icon: Icon, name: kindName } = RESOURCE_LOOKS[kind];
        return (
          <li key={key} className="flex min-h-9 items-center gap-2.5 px-3 py-1.5">
            <Icon aria-hidden="true" className="size-4 shrink-0 text-faint" />
            {/* Where both do not fit in one line, the kind goes below: a name is never cut short. */}
            <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-2.5">
              <span className="min-w-0 break-words">{name}</span>
              <span className="text-faint text-xs">{kindName}</span>
            </span>
            {note && <span className="w-14 shrink-0 text-right text-xs">{note}</span>}
          </li>
        );
      })}
    </ul>
  );
}

interface ResourceLook {
  icon: LucideIcon;
  /** What one of them is called. */
  name: string;
}

/** How each kind of resource is shown, with the icon that its screen has in the sidebar. */
export const RESOURCE_LOOKS: Record<ResourceKind, ResourceLook> = {
  project: { icon: Rocket, name: 'Project' },
  database: { icon: Database, name: 'Database' },
  dns: { icon: Globe, name: 'DNS record' },
  container: { icon: Boxes, name: 'Container image' },
  file: { icon: File, name: 'File' },
  'mobile-app': { icon: Smartphone, name: 'Mobile app' },
};

/** The page of the console that shows the resource, or the list that it is in. */
function placeOf({ kind, id }: ReceiptEntry): Pick<LinkProps, 'to' | 'params'> {
  switch (kind) {
    case 'project':
      return { to: '/projects/$projectId', params: { projectId: id } };
    case 'database':
      return { to: '/databases/$databaseId', params: { databaseId: id } };
    case 'container':
      return { to: '/containers/$imageId', params: { imageId: id } };
    case 'dns':
      return { to: '/dns' };
    case 'file':
      return { to: '/storage' };
    case 'mobile-app':
      return { to: '/mobile-apps' };
  }
}

/** The name of a resource that leads to it. */
export function ResourceLink({ entry }: { entry: ReceiptEntry }) {
  return (
    <Link {...placeOf(entry)} className="rounded-sm font-medium underline-offset-4 hover:underline">
      {entry.name}
    </Link>
  );
}
