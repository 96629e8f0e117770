import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { TRPCClientError } from '@trpc/client';
import { TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { isUnauthorized } from '../lib/errors.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { sendToLogin } from './send-to-login.ts';

/** What a page shows in place of itself when its data cannot be had. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const signedOut = error instanceof TRPCClientError && isUnauthorized(error);

  useEffect(() => {
    if (signedOut) sendToLogin();
  }, [signedOut]);

  async function retry() {
    await router.invalidate();
    reset();
  }

  return (
    <EmptyState
      icon={TriangleAlert}
      title="This page could not be loaded"
      description={error instanceof Error ? error.message : 'Something went wrong'}
      action={<Button onClick={() => void retry()}>Try again</Button>}
    />
  );
}
