import type { ReceiptEntry } from '@nephos/contracts';
import { Link, type LinkProps } from '@tanstack/react-router';

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
