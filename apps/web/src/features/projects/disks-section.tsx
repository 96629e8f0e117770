import type { Disk, DiskSupport } from '@nephos/contracts';
import { MAX_DISKS } from '@nephos/contracts/constants';
import { HardDrive, Plus, Scaling, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { ResizeDialogProps } from './disk-dialog.tsx';

const DiskDialog = lateDialog({ fields: 3 }, () =>
  import('./disk-dialog.tsx').then(({ DiskDialog }) => DiskDialog),
);
const ResizeDialog = lateDialog({ fields: 1 }, () =>
  import('./disk-dialog.tsx').then(({ ResizeDialog }) => ResizeDialog),
);

const MB = 1024 ** 2;
/** The share of its size from which on a disk counts as full. */
const FULL = 0.99;
const NOT_LIMITED = "This disk is a plain folder: the server doesn't limit what the app writes to it.";

interface DisksSectionProps {
  projectId: string;
  disks: readonly Disk[];
  support: DiskSupport;
  /** The machine of all disks, where there are several. */
  node: string | null;
  /** Whether all of several machines have them. */
  shared: boolean;
}

/** The folders of a project that outlive its releases. */
export function DisksSection({ projectId, disks, support, node, shared }: DisksSectionProps) {
  const need = useNeed('build');
  const [adding, setAdding] = useState(false);
  const add = (
    <Button
      reason={disks.length >= MAX_DISKS ? `A project can have up to ${MAX_DISKS} disks.` : undefined}
      {...need}
      onClick={() => setAdding(true)}
    >
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
            {node !== null && ` It runs on ${node}, which has all disks: while that is down, so is the app.`}
            {shared && ' All machines share its disks: when one goes down, it starts again on another.'}
          </p>
        </div>
        {disks.length > 0 && add}
      </header>
      <DataList
        label="Disks"
        columns={columnsOf(projectId, support)}
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
      {adding && <DiskDialog projectId={projectId} support={support} onClose={() => setAdding(false)} />}
    </section>
  );
}

function columnsOf(projectId: string, support: DiskSupport): readonly Column<Disk>[] {
  const isLimited = ({ limited }: Disk) => limited ?? support.limited;
  return [
    { heading: 'Name', card: 'title', cell: ({ name }) => <span className="font-medium">{name}</span> },
    { heading: 'Path', cell: ({ path }) => <span className="break-all font-mono text-sm">{path}</span> },
    {
      heading: 'Used',
      className: 'whitespace-nowrap tabular-nums',
      cell: (disk) => <Used disk={disk} />,
    },
    {
      heading: 'Size',
      className: 'whitespace-nowrap tabular-nums',
      cell: (disk) =>
        isLimited(disk) ? formatSize(disk.size * MB) : <span title={NOT_LIMITED}>Not limited</span>,
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
      cell: (disk) => (
        <div className="flex justify-end gap-1">
          {isLimited(disk) && <ResizeDisk projectId={projectId} disk={disk} support={support} />}
          <DeleteDisk projectId={projectId} name={disk.name} />
        </div>
      ),
    },
  ];
}

function Used({ disk: { bytes, size, limited, measuredAt } }: { disk: Disk }) {
  if (!measuredAt) return 'Not measured yet';
  const isFull = limited === true && bytes >= size * MB * FULL;
  return (
    <span className="inline-flex items-center gap-2">
      {formatSize(bytes)}
      {isFull && <Badge tone="danger">Full</Badge>}
    </span>
  );
}

function ResizeDisk(props: Omit<ResizeDialogProps, 'onClose'>) {
  const need = useNeed('build');
  const [isOpen, setOpen] = useState(false);
  const label = `Resize ${props.disk.name}`;
  return (
    <>
      <IconButton label={label} title={label} {...need} onClick={() => setOpen(true)}>
        <Scaling />
      </IconButton>
      {isOpen && <ResizeDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
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
