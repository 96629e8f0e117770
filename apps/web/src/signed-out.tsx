import { ServerOff } from 'lucide-react';
import { lazy, startTransition, useEffect, useRef, useState } from 'react';
import { NotFoundPage } from './features/not-found/not-found-page.tsx';
import { askAgain } from './lib/ask-again.ts';
import { sendToLogin } from './lib/send-to-login.ts';
import { isConsolePage } from './shell/navigation.ts';
import { fetchSession, type Session, wasSignedInHere } from './shell/session.ts';
import { Button } from './ui/button.tsx';

/** Milliseconds before anything shows while the session loads: a fast answer then paints one screen, not two. */
const LOADING_GRACE = 200;

const loadLanding = () => import('./features/landing/landing-page.tsx');
const LandingPage = lazy(() => loadLanding().then(({ LandingPage }) => ({ default: LandingPage })));

const SignedOutJoin = lazy(() =>
  import('./features/join/signed-out-join.tsx').then(({ SignedOutJoin }) => ({ default: SignedOutJoin })),
);

/** Fetches the landing page while the session is still being asked for. */
export function preloadLanding(): void {
  loadLanding().catch(() => {});
}

export interface SignedOutProps {
  path: string;
  status: Exclude<Session['status'], 'signed-in'>;
  /** Whether the server has yet to say who is signed in: what shows that may still be on its way once it has. */
  asking: boolean;
  /** Told what the server says once it can say it. */
  onAnswer: (session: Session) => void;
}

/**
 * What is shown while loading and when signed out: `/` is the landing page, `/join/…` an invitation, every other path is
 * not found. Where the
 * server cannot say who is signed in, the landing page is for those who were not.
 */
export function SignedOut({ path, status, asking, onAnswer }: SignedOutProps) {
  const isOver = usePatience(asking);
  const mustLogIn = status === 'signed-out' && isConsolePage(path);

  useEffect(() => {
    if (mustLogIn) sendToLogin();
  }, [mustLogIn]);

  // A page of the console that is on its way is not missing. The landing page stays until it is there.
  if (status === 'loading' && (!isOver || (!asking && path !== '/'))) return null;
  if (status === 'unavailable' && (path !== '/' || wasSignedInHere())) {
    return <UnavailablePage onAnswer={onAnswer} />;
  }
  if (path.startsWith('/join/') && status === 'signed-out') {
    return <SignedOutJoin path={path} />;
  }
  if (path === '/') {
    return <LandingPage />;
  }
  return (
    <main className="flex min-h-dvh flex-col">
      <NotFoundPage />
    </main>
  );
}

/** Whether the server has been asked for longer than `LOADING_GRACE`. */
function usePatience(asking: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!asking) return;
    const timer = setTimeout(() => startTransition(() => setOver(true)), LOADING_GRACE);
    return () => clearTimeout(timer);
  }, [asking]);
  return isOver;
}

/** Shown where the server cannot say who is signed in, until it can. */
function UnavailablePage({ onAnswer }: Pick<SignedOutProps, 'onAnswer'>) {
  const { asking, ask } = useAnswer(onAnswer);
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-6 text-center">
      <ServerOff aria-hidden="true" className="size-8 text-faint" />
      <h1 className="mt-5 font-semibold text-2xl tracking-tight">Service temporarily unavailable</h1>
      <p className="mt-2 max-w-md text-muted">
        The server is unavailable right now. This page reloads when it's back.
      </p>
      <Button variant="primary" className="mt-6" pending={asking} onClick={ask}>
        Try again
      </Button>
    </main>
  );
}

function useAnswer(onAnswer: SignedOutProps['onAnswer']) {
  const again = useRef<ReturnType<typeof askAgain>>(undefined);
  const [asking, setAsking] = useState(false);
  const answered = useRef(false);

  useEffect(() => {
    again.current = askAgain(async () => {
      const session = await fetchSession();
      if (session.status === 'unavailable') return false;
      answered.current = true;
      onAnswer(session);
      return true;
    });
    return again.current.stop;
  }, [onAnswer]);

  async function ask() {
    setAsking(true);
    await again.current?.now();
    // What follows may be on its way still.
    if (!answered.current) setAsking(false);
  }

  return { asking, ask: () => void ask() };
}
