import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { BrokenPage } from './shell/missing-part-notice.tsx';
import { isConsolePage } from './shell/navigation.ts';
import { type Session, wasSignedInHere } from './shell/session.ts';
import { preloadLanding, SignedOut } from './signed-out.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ToastHost } from './ui/toast-host.tsx';

const loadConsole = () => import('./console.tsx');
const Console = lazy(() => loadConsole().then(({ Console }) => ({ default: Console })));

export interface AppProps {
  /** Path at which the page was loaded. */
  path: string;
  session: Promise<Session>;
}

/**
 * Decides between the two worlds: signed in, the console; while loading or signed out, the
 * landing page or the not-found screen.
 */
export function App({ path, session: answer }: AppProps) {
  const [session, setSession] = useState<Session>({ status: 'loading' });
  // What was there stays until what follows is loaded: React shows nothing new for 300 ms after a fallback.
  const shown = useDeferredValue(session);

  useEffect(() => {
    void answer.then(setSession);
    preload(path);
  }, [answer, path]);

  return (
    <>
      <ErrorBoundary fallback={(error) => <BrokenPage error={error} />}>
        <Suspense>
          {shown.status === 'signed-in' ? (
            <Console user={shown.user} />
          ) : (
            <SignedOut
              path={path}
              status={shown.status}
              asking={session.status === 'loading'}
              onAnswer={setSession}
            />
          )}
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={() => null}>
        <ToastHost />
      </ErrorBoundary>
    </>
  );
}

/** Fetches what the path will most likely show, while the session is still being asked for. */
function preload(path: string) {
  if (path === '/' && !wasSignedInHere()) return preloadLanding();
  if (path !== '/' && !isConsolePage(path)) return;
  // What fails is seen where it is shown.
  loadConsole().catch(() => {});
}
