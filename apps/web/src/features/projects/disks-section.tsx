import type { Disk } from '@nephos/contracts';
import { MAX_DISKS } from '@nephos/contracts/constants';
import { HardDrive, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

const DiskDialog = lateDialog({ fields: 2 }, () =>
  import('./disk-dialog.tsx').then(({ DiskDialog }) => DiskDialog),
);

interface DisksSectionProps {
  projectId: string;
  disks: readonly Disk[];
  /** Whether a path outside of the app works on this server. */
  mounted: boolean;
}

/** The folders of a project that outlive its releases. */
export function DisksSection({ projectId, disks, mounted }: DisksSectionProps) {
  const [adding, setAdding] = useState(false);
  const add = (
    <Button onClick={() => setAdding(true)} disabled={disks.length >= MAX_DISKS}>
      <Plus aria-hidden="true" />
      Add disk
    </Button>
  );
  return (
    <section aria-label="Disks" className="flex flex-col gap-4">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-w-2xl">
          <h2 className="font-semibold text-lg">Disks</h2>
          <p className="mt-1 text-muted text-sm">
            Files on a disk are kept across deployments and restarts, and count toward your storage. A project
            with a disk runs one instance, and is unavailable for a moment while a new version takes over.
          </p>
        </div>
        {disks.length > 0 && add}
      </header>
      <DataList
        label="Disks"
        columns={columnsOf(projectId)}
        rows={disks}
        empty={
          <EmptyState
            icon={HardDrive}
            title="No disks"
            description="Everything an app writes is lost with its release, unless it is on a disk. Add one for uploads or a SQLite file."
            action={add}
          />
        }
      />
      {adding && <DiskDialog projectId={projectId} mounted={mounted} onClose={() => setAdding(false)} />}
    </section>
  );
}

function columnsOf(projectId: string): readonly Column<Disk>[] {
  return [
    { heading: 'Name', card: 'title', cell: ({ name }) => <span className="font-medium">{name}</span> },
    { heading: 'Path', cell: ({ path }) => <span className="break-all font-mono text-sm">{path}</span> },
    {
      heading: 'Used',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ bytes, measuredAt }) => (measuredAt ? formatSize(bytes) : 'Not measured yet'),
    },
    {
      heading: 'Added',
      className: 'whitespace-nowrap',
      cell: ({ createdAt }) => <span className="text-muted">{formatAgo(createdAt)}</span>,
    },
    {
      heading: 'Actions',
      hideHeading: true,
      className: 'text-right',
      card: 'aside',
      cell: ({ name }) => <DeleteDisk projectId={projectId} name={name} />,
    },
  ];
}

function DeleteDisk({ projectId, name }: { projectId: string; name: string }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.disks.remove.useMutation(), {
    success: 'Disk deleted',
    failure: 'Failed to delete the disk',
    serverSpeaks: true,
    refresh: [utils.disks.list],
  });
  return (
    <DeleteDialog
      title="Delete disk?"
      description="Permanently deletes all files on it. Stop the app first."
      name={name}
      label="Delete disk"
      action={remove}
      onConfirm={(close) => remove.run({ id: projectId, name }, close)}
      trigger={(open) => (
        <IconButton label={`Delete ${name}`} title={`Delete ${name}`} onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
