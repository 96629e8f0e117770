import { type SkipToken, skipToken } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { FIRST_DELAY, nextDelay } from './ask-again.ts';
import { checkServer } from './server-presence.ts';

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

function subscribe(listener: () => void) {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Whether the person can see this tab. */
function useDocumentVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}

export interface Stream {
  status: 'idle' | 'connecting' | 'pending' | 'error';
  reset: () => void;
}

/**
 * Opens a stream again after an answer that ends it for good, such as 503 while the server starts; lost connections
 * are the browser's own to repeat. Waits 1 s, then twice as long each time, up to 30 s.
 */
export function useStreamRetry({ status, reset }: Stream): void {
  const delay = useRef(FIRST_DELAY);
  useLossNotice(status);
  useEffect(() => {
    if (status === 'pending') delay.current = FIRST_DELAY;
    if (status !== 'error') return;
    const timer = setTimeout(reset, delay.current);
    delay.current = nextDelay(delay.current);
    return () => clearTimeout(timer);
  }, [status, reset]);
}

/** A stream that was open and is not any more may be the first to know that the server is away. */
function useLossNotice(status: Stream['status']) {
  const before = useRef(status);
  useEffect(() => {
    if (before.current === 'pending' && status === 'connecting') void checkServer();
    before.current = status;
  }, [status]);
}
