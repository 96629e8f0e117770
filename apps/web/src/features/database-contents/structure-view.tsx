import type { Inputs } from '@nephos/contracts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { Badge } from '../../ui/badge.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';

export type TableName = Inputs['databaseContents']['table'];

/** What a table is made of. */
export function StructureView({ name }: { name: TableName }) {
  const structure = trpc.databaseContents.table.useQuery(name, { staleTime: 0 });
  if (structure.error) return <LoadFailure query={structure} failure="Failed to load the structure" />;
  if (!structure.data) {
    return (
      <SkeletonGroup label="Loading the structure">
        <Skeleton className="h-72" />
      </SkeletonGroup>
    );
  }
  const { columns, indexes, constraints } = structure.data;
  return (
    <div className="flex flex-col gap-6">
      <Table label="Columns">
        <TableHead>
          <TableHeading>Column</TableHeading>
          <TableHeading>Type</TableHeading>
          <TableHeading>Empty</TableHeading>
          <TableHeading>Default</TableHeading>
        </TableHead>
        <TableBody>
          {columns.map((column) => (
            <TableRow key={column.name}>
              <TableCell className="font-medium">
                {column.name} {column.primary && <Badge>Primary key</Badge>}
              </TableCell>
              <TableCell>
                <code className="text-sm">{column.type}</code>
              </TableCell>
              <TableCell className="text-muted">{column.nullable ? 'NULL allowed' : 'Required'}</TableCell>
              <TableCell className="max-w-80 truncate text-muted" title={column.default ?? undefined}>
                {column.generated ? 'Generated' : <code className="text-sm">{column.default}</code>}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <Definitions title="Indexes" none="No indexes" rows={indexes} />
      <Definitions title="Constraints" none="No constraints" rows={constraints} />
    </div>
  );
}

interface DefinitionsProps {
  title: string;
  none: string;
  rows: readonly { name: string; definition: string }[];
}

function Definitions({ title, none, rows }: DefinitionsProps) {
  return (
    <section aria-label={title}>
      <h3 className="mb-2 font-semibold">{title}</h3>
      {rows.length === 0 && <p className="text-muted">{none}</p>}
      <dl className="flex flex-col gap-2">
        {rows.map(({ name, definition }) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd>
              <code className="break-words text-muted text-sm">{definition}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
