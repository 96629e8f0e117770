import { CloudOff, RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { checkServer, onServerBack } from '../lib/server-presence.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { toast } from '../ui/toast.ts';
import { findNewVersion, isMissingPart, recoverPage, reloadIfServed, type Served } from './missing-part.ts';

const MISSING_PART_WORDS: Readonly<Record<Served, { title: string; description: string }>> = {
  newer: {
    title: 'A new version of Nephos is available',
    description: 'Reload the page to use it.',
  },
  same: {
    title: "Part of this page couldn't be loaded",
    description: 'Check your connection, then reload the page.',
  },
  away: {
    title: "Part of this page couldn't be loaded",
    description: "Can't reach the server. The page reloads when it's back.",
  },
};

/** In the place of what could not be loaded. The page is loaded anew by itself, where that may help. */
export function MissingPartNotice() {
  const [served, setServed] = useState<Served | 'reloading'>('reloading');
  const [asking, setAsking] = useState(false);

  useEffect(() => void recoverPage().then(setServed), []);
  useEffect(() => {
    if (served !== 'away') return;
    void checkServer();
    return onServerBack(() => void reloadIfServed());
  }, [served]);

  async function reload() {
    setAsking(true);
    if (await reloadIfServed()) return;
    setServed('away');
    setAsking(false);
  }

  if (served === 'reloading') return null;
  return (
    <div role="alert">
      <EmptyState
        icon={served === 'newer' ? RefreshCw : CloudOff}
        {...MISSING_PART_WORDS[served]}
        action={
          <Button variant="primary" pending={asking} onClick={() => void reload()}>
            Reload
          </Button>
        }
      />
    </div>
  );
}

export interface MissingPartToastProps {
  error: unknown;
  /** Whether the person asks for it now. */
  wanted: boolean;
  /** Called once it was said, so that who asks again is told again. */
  onSaid?: (() => void) | undefined;
}

/** Where something beside the page could not be loaded. The page stays, and what was typed into it. */
export function MissingPartToast({ error, wanted, onSaid }: MissingPartToastProps) {
  const say = useEffectEvent((served: Served) => {
    toast({ ...MISSING_PART_WORDS[served], variant: 'destructive' });
    onSaid?.();
  });
  useEffect(() => {
    if (!wanted) return;
    void findNewVersion().then((served) => served !== 'reloading' && say(served));
  }, [wanted]);

  if (!isMissingPart(error)) throw error;
  return null;
}

/** The whole window, where what fills it cannot be drawn. */
export function BrokenPage({ error }: { error: unknown }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col justify-center p-6">
      {isMissingPart(error) ? (
        <MissingPartNotice />
      ) : (
        <EmptyState
          icon={TriangleAlert}
          title="Something went wrong"
          description="The console couldn't be shown. Reload the page."
          action={
            <Button variant="primary" onClick={() => window.location.reload()}>
              Reload
            </Button>
          }
        />
      )}
    </main>
  );
}
