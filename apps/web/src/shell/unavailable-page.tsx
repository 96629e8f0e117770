import { ServerOff } from 'lucide-react';
import { Button } from '../ui/button.tsx';

/** Shown where the server cannot say who is signed in. */
export function UnavailablePage() {
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
