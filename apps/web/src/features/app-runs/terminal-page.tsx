import { getRouteApi, Link } from '@tanstack/react-router';
import { SquareTerminal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const route = getRouteApi('/_console/projects/$projectId/terminal');

const TerminalView = lazy(() => import('./terminal-view.tsx'));

/** A shell in the app's environment. */
export function TerminalPage() {
  const { projectId } = route.useParams();
  const [{ available, reason }] = trpc.appRuns.terminal.useSuspenseQuery({ id: projectId });
  /** Counts the sessions, so that each begins with an empty screen. */
  const [session, setSession] = useState(1);
  const [ended, setEnded] = useState<string | null>(null);
  if (!available) return <NoTerminal projectId={projectId} reason={reason} />;
  return (
    <section aria-label="Terminal" className="flex flex-col gap-3">
      <p className="text-muted text-sm">
        A shell in the app's folder, with its variables and limits. Changes to files last until the next
        deployment, except on disks. To leave the terminal with the keyboard, press Escape, then Tab.
      </p>
      <Suspense fallback={<Skeleton className="h-[min(36rem,65dvh)]" />}>
        <TerminalView key={session} projectId={projectId} onEnd={setEnded} />
      </Suspense>
      <div className="flex min-h-9 flex-wrap items-center gap-3">
        <p role="status" className="text-muted">
          {ended}
        </p>
        {ended !== null && (
          <Button
            onClick={() => {
              setEnded(null);
              setSession(session + 1);
            }}
          >
            Start a new session
          </Button>
        )}
      </div>
    </section>
  );
}

function NoTerminal({ projectId, reason }: { projectId: string; reason: string }) {
  return (
    <EmptyState
      icon={SquareTerminal}
      title="No terminal available"
      description={reason}
      action={
        <Link to="/projects/$projectId/jobs" params={{ projectId }} className={buttonStyles()}>
          Back to jobs
        </Link>
      }
    />
  );
}
