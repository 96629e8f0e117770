import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { type CallError, sentenceOf } from './errors.ts';

export interface LoadFailureProps {
  query: { error: CallError | null; isFetching: boolean; refetch: () => Promise<unknown> };
  /** What did not work, where the server does not say why. */
  failure: string;
}

/** A part of a page that could not be fetched, and the way to try again. */
export function LoadFailure({ query: { error, isFetching, refetch }, failure }: LoadFailureProps) {
  return (
    <Notice
      tone="danger"
      title={error ? sentenceOf(error, failure) : failure}
      action={
        <Button size="sm" pending={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      }
    />
  );
}
