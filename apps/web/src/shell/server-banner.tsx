import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { checkServer, onServerBack, type ServerPresence, useServerPresence } from '../lib/server-presence.ts';
import { Button } from '../ui/button.tsx';

const WORDS: Readonly<Record<Exclude<ServerPresence, 'here'>, string>> = {
  offline: "You're offline. Changes can't be saved until you're back online.",
  unreachable: "Can't reach the server. Changes can't be saved until it's back.",
  unavailable: "The server is temporarily unavailable. Changes can't be saved until it's back.",
};

/** Says above every page that the server is away, until it is back: then the page goes on by itself. */
export function ServerBanner() {
  const presence = useServerPresence();
  useCatchingUp();

  useEffect(() => {
    const check = () => void checkServer();
    window.addEventListener('offline', check);
    return () => window.removeEventListener('offline', check);
  }, []);

  return (
    <div role="status" data-sticks={presence !== 'here' || undefined} className="sticky top-14 z-20">
      {presence !== 'here' && <Words presence={presence} />}
    </div>
  );
}

/** Fetches what could not be had, or may have changed, while the server was away. */
function useCatchingUp() {
  const router = useRouter();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onServerBack(() => {
        void queryClient.invalidateQueries();
        if (router.state.matches.some(({ status }) => status === 'error')) void router.invalidate();
      }),
    [router, queryClient],
  );
}

function Words({ presence }: { presence: keyof typeof WORDS }) {
  const [asking, setAsking] = useState(false);

  async function ask() {
    setAsking(true);
    await checkServer();
    setAsking(false);
  }

  return (
    <div className="flex items-center gap-3 border-warning/50 border-b bg-canvas">
      <div className="flex grow items-center gap-3 bg-warning-soft px-4 py-2 sm:px-5">
        <CloudOff aria-hidden="true" className="size-4 shrink-0 text-warning" />
        <p className="min-w-0 grow text-sm">{WORDS[presence]}</p>
        <Button size="sm" pending={asking} onClick={() => void ask()}>
          Try again
        </Button>
      </div>
    </div>
  );
}
