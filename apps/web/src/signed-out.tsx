import { ServerOff } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { NotFoundPage } from './features/not-found/not-found-page.tsx';
import { sendToLogin } from './lib/send-to-login.ts';
import { isConsolePage } from './shell/navigation.ts';
import type { Session } from './shell/session.ts';
import { Button } from './ui/button.tsx';

/** Milliseconds before anything shows while the session loads: a fast answer then paints one screen, not two. */
const LOADING_GRACE = 200;

const loadLanding = () => import('./features/landing/landing-page.tsx');
const LandingPage = lazy(() => loadLanding().then(({ LandingPage }) => ({ default: LandingPage })));

/** Fetches the landing page while the session is still being asked for. */
export function preloadLanding(): void {
  loadLanding().catch(() => {});
}

export interface SignedOutProps {
  path: string;
  status: Exclude<Session['status'], 'signed-in'>;
}

/** What is shown while loading and when signed out: `/` is the landing page, every other path is not found. */
export function SignedOut({ path, status }: SignedOutProps) {
  const patient = usePatience(status === 'loading');
  const mustLogIn = status === 'signed-out' && isConsolePage(path);

  useEffect(() => {
    if (mustLogIn) sendToLogin();
  }, [mustLogIn]);

  if (patient) return null;
  if (path === '/') {
    return (
      <Suspense>
        <LandingPage />
      </Suspense>
    );
  }
  if (status === 'unavailable') return <UnavailablePage />;
  return (
    <main className="flex min-h-dvh flex-col">
      <NotFoundPage />
    </main>
  );
}

function usePatience(loading: boolean): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), LOADING_GRACE);
    return () => clearTimeout(timer);
  }, []);
  return loading && !over;
}

/** Shown where the server cannot say who is signed in. */
function UnavailablePage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-6 text-center">
      <ServerOff aria-hidden="true" className="size-8 text-faint" />
      <h1 className="mt-5 font-semibold text-2xl tracking-tight">Service temporarily unavailable</h1>
      <p className="mt-2 max-w-md text-muted">
        The server does not answer at the moment. Running apps are not affected by it.
      </p>
      <Button variant="primary" className="mt-6" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </main>
  );
}
