import type { DatabasePast, ManagedDatabase } from '@nephos/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowLeftRight, Copy, DatabaseBackup, History } from 'lucide-react';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useFullStorage } from '../../lib/use-limit.tsx';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { BackupSettings } from './backup-settings.tsx';
import { BackupsList } from './backups-list.tsx';
import { PastFacts } from './past-facts.tsx';

const RestoreDialog = lateDialog({ fields: 2 }, () =>
  import('./restore-dialog.tsx').then(({ RestoreDialog }) => RestoreDialog),
);
const CopyDialog = lateDialog({ fields: 1 }, () =>
  import('./restore-dialog.tsx').then(({ CopyDialog }) => CopyDialog),
);
const SwapDialog = lateDialog({ fields: 1 }, () =>
  import('./swap-dialog.tsx').then(({ SwapDialog }) => SwapDialog),
);

const route = getRouteApi('/_console/databases/$databaseId/backups');

/** Milliseconds until the next look, while something is under way, and otherwise: the latest moment moves on. */
const SOON = 2000;
const LATER = 60_000;

const isUnderWay = ({ backups, proving }: DatabasePast) =>
  proving || backups.some(({ status }) => status === 'running');

/** What can be brought back of a database, and what was backed up. */
export function BackupsPage() {
  const { databaseId: id } = route.useParams();
  const [database] = trpc.databases.get.useSuspenseQuery({ id });
  const past = trpc.databaseBackups.get.useQuery(
    { id },
    { staleTime: 0, refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? SOON : LATER) },
  );
  const full = useFullStorage();
  if (!past.data) {
    return past.error ? <LoadFailure query={past} failure="Failed to load the backups" /> : <Outline />;
  }
  if (past.data.unavailable) return <Notice title={past.data.unavailable} />;
  return (
    <div className="flex flex-col gap-6">
      {past.error && <LoadFailure query={past} failure="Failed to load the backups" />}
      {full && (
        <Notice tone="warning" title="Storage is full">
          {full}
        </Notice>
      )}
      <div className="grid items-start gap-6 @4xl/page:grid-cols-[minmax(0,1fr)_22rem]">
        <PastCard database={database} past={past.data} />
        <BackupSettings id={id} past={past.data} />
      </div>
      <section aria-label="Backups">
        <h2 className="mb-3 font-semibold text-lg">Backups</h2>
        {past.data.backups.length === 0 ? (
          <EmptyState
            icon={DatabaseBackup}
            title="No backups yet"
            description="The first one is made tonight, or right now if you like."
          />
        ) : (
          <BackupsList backups={past.data.backups} />
        )}
      </section>
    </div>
  );
}

function Outline() {
  return (
    <SkeletonGroup label="Loading the backups">
      <div className="grid gap-6 @4xl/page:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="h-56" />
        <Skeleton className="h-56" />
      </div>
      <Skeleton className="mt-6 h-40" />
    </SkeletonGroup>
  );
}

interface PastCardProps {
  database: ManagedDatabase;
  past: DatabasePast;
}

/** What there is to bring back, and what can be done with it. */
function PastCard({ database, past }: PastCardProps) {
  const [open, setOpen] = useState<'restore' | 'copy' | 'swap'>();
  const build = useNeed('build');
  const hasBackup = past.from !== null;
  const need = hasBackup ? build : { reason: 'There is nothing to restore before the first backup.' };
  // Where single moments are kept, a copy is a restore of the latest; elsewhere it is read from the database itself.
  const copyNeed = past.kind === 'moment' ? need : build;
  const close = () => setOpen(undefined);
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Restore"
        description={
          past.kind === 'moment'
            ? 'Every change is kept as it happens. Restore any moment into a new database; this one stays as it is.'
            : 'Restore a backup into a new database; this one stays as it is.'
        }
      />
      <PastFacts past={past} />
      <div className="mt-5 flex flex-wrap gap-2">
        <Button variant="primary" {...need} onClick={() => setOpen('restore')}>
          <History aria-hidden="true" />
          Restore…
        </Button>
        <Button {...copyNeed} onClick={() => setOpen('copy')}>
          <Copy aria-hidden="true" />
          Copy…
        </Button>
        {past.kind === 'moment' && (
          <Button {...build} onClick={() => setOpen('swap')}>
            <ArrowLeftRight aria-hidden="true" />
            Swap…
          </Button>
        )}
        <BackUpNow id={database.id} past={past} />
        <ProveNow id={database.id} past={past} />
      </div>
      {open === 'restore' && <RestoreDialog database={database} past={past} onClose={close} />}
      {open === 'copy' && <CopyDialog database={database} onClose={close} />}
      {open === 'swap' && <SwapDialog database={database} onClose={close} />}
    </Card>
  );
}

interface NowProps {
  id: string;
  past: DatabasePast;
}

function BackUpNow({ id, past: { backups } }: NowProps) {
  const utils = trpc.useUtils();
  const running = backups.some(({ status }) => status === 'running');
  const start = useAction(trpc.databaseBackups.start.useMutation(), {
    failure: 'Failed to start the backup',
    serverSpeaks: true,
    refresh: [utils.databaseBackups.get],
  });
  return (
    <Button {...start.button} pending={start.pending || running} onClick={() => start.run({ id })}>
      Back up now
    </Button>
  );
}

function ProveNow({ id, past: { backups, proving } }: NowProps) {
  const utils = trpc.useUtils();
  const prove = useAction(trpc.databaseBackups.prove.useMutation(), {
    failure: 'Failed to start the proof',
    serverSpeaks: true,
    refresh: [utils.databaseBackups.get],
  });
  if (!backups.some(({ status }) => status === 'done')) return null;
  return (
    <Button {...prove.button} pending={prove.pending || proving} onClick={() => prove.run({ id })}>
      Prove now
    </Button>
  );
}
