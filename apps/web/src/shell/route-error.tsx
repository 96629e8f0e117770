import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { TRPCClientError } from '@trpc/client';
import { FileQuestionMark, TriangleAlert } from 'lucide-react';
import { isUnauthorized, sentenceOf, statusOf } from '../lib/errors.ts';
import { Button } from '../ui/button.tsx';
import { buttonStyles } from '../ui/button-styles.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { isMissingPart } from './missing-part.ts';
import { MissingPartNotice } from './missing-part-notice.tsx';

const UNEXPLAINED = "Can't reach the server. Check your connection and try again.";

/** What a page shows in place of itself when its data cannot be had. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const refused = error instanceof TRPCClientError;

  async function retry() {
    await router.invalidate();
    reset();
  }

  if (isMissingPart(error)) return <MissingPartNotice />;
  // The person is on the way to the login page, and a toast says so.
  if (refused && isUnauthorized(error)) return null;
  if (refused && statusOf(error) === 404) {
    return (
      <EmptyState
        icon={FileQuestionMark}
        title="Can't open this page"
        description="Not found, or you don't have access."
        action={
          <a href="/" className={buttonStyles()}>
            Go to the home page
          </a>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={TriangleAlert}
      title="Couldn't load this page"
      description={refused ? sentenceOf(error, UNEXPLAINED) : 'Something went wrong. Try again.'}
      action={<Button onClick={() => void retry()}>Try again</Button>}
    />
  );
}
