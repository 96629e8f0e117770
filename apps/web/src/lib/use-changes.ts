import { type SkipToken, skipToken } from '@tanstack/react-query';
import { useDocumentVisible } from './use-document-visible.ts';
import { type Stream, useStreamRetry } from './use-stream-retry.ts';

/** A subscription of the contract, as in `trpc.deployments.changes`. */
export interface ChangeStream<Input, Event> {
  useSubscription(
    input: Input | SkipToken,
    options: { onStarted: () => void; onError: () => void; onData: (event: Event) => void },
  ): Stream;
}

export interface ChangesOptions<Event> {
  /** Fetches again all that the stream is about: what happened before it began, or between two, it does not tell. */
  refetch: () => void;
  /** For each event; absent, it is `refetch`. */
  onChange?: (event: Event) => void;
  /** Listens in a hidden tab too. It should not without need, since browsers allow few open streams to one server. */
  always?: boolean;
}

/** Keeps what is cached true to a stream of changes, for as long as the component is there and the tab is looked at. */
export function useChanges<Input, Event>(
  stream: ChangeStream<Input, Event>,
  input: Input,
  { refetch, onChange = refetch, always = false }: ChangesOptions<Event>,
): void {
  const visible = useDocumentVisible();
  const { status, reset } = stream.useSubscription(always || visible ? input : skipToken, {
    onStarted: refetch,
    // A stream cannot say why it was refused; the same question, asked plainly, can.
    onError: refetch,
    onData: onChange,
  });
  useStreamRetry({ status, reset });
}
