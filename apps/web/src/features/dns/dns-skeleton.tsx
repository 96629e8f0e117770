import { Skeleton } from '../../ui/skeleton.tsx';
import { TableSkeleton } from '../../ui/table-skeleton.tsx';
import { DnsHeader } from './dns-header.tsx';

const COLUMNS = [
  { heading: 'Domain', className: 'h-5 w-28' },
  { heading: 'Type', className: 'h-6 w-14 rounded-full' },
  { heading: 'Name', className: 'h-5 w-16' },
  { heading: 'Value', className: 'h-5 w-40' },
  { heading: 'TTL', className: 'h-5 w-14' },
];

/** The page in its shape: the name server, the filter, three rows. */
export function DnsSkeleton() {
  return (
    <>
      <DnsHeader action={<Skeleton className="h-9 w-32" />} />
      <Skeleton className="mb-6 h-36 w-full rounded-xl" />
      <Skeleton className="mb-4 h-9 w-full sm:w-72" />
      <TableSkeleton label="Loading DNS records" columns={COLUMNS} />
    </>
  );
}
