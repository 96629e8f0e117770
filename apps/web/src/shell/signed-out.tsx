import { lazy, Suspense, useEffect, useState } from 'react';
import { NotFoundPage } from '../features/not-found/not-found-page.tsx';
import { isConsolePage } from './navigation.ts';
import { sendToLogin } from './send-to-login.ts';
import type { Session } from './session.ts';
import { UnavailablePage } from './unavailable-page.tsx';

/** Milliseconds before anything shows while the session loads: a fast answer then paints one screen, not two. */
const LOADING_GRACE = 200;

const loadLanding = () => import('../features/landing/landing-page.tsx');
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
