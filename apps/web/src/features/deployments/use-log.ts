import { useEffect, useState } from 'react';
import { useStreamRetry } from '../../lib/use-stream-retry.ts';
import { trpc } from '../../trpc.ts';
import { LogBuffer } from './log-buffer.ts';

/** Milliseconds between two paintings while chunks pour in. */
const PAINT_INTERVAL = 60;

export type LogState = 'connecting' | 'live' | 'interrupted' | 'complete';

export interface Log {
  buffer: LogBuffer;
  /** Changes whenever the buffer did. */
  version: number;
  state: LogState;
}

/**
 * A deployment's log from its beginning, then as it grows, also in a hidden tab. Give the component that calls it a
 * key per deployment.
 */
export function useLog(deploymentId: string): Log {
  const [buffer] = useState(() => new LogBuffer());
  const { version, changed } = usePaintedVersion();
  const { status, reset } = trpc.deployments.log.useSubscription(
    { id: deploymentId },
    {
      onData: ({ data }) => {
        buffer.add(data);
        changed();
      },
    },
  );
  useStreamRetry({ status, reset });
  return { buffer, version, state: stateOf(status, version > 0) };
}

function stateOf(status: 'idle' | 'connecting' | 'pending' | 'error', begun: boolean): LogState {
  if (status === 'pending') return 'live';
  if (status === 'idle') return 'complete';
  return begun || status === 'error' ? 'interrupted' : 'connecting';
}

/** A number that follows changes, however many, at most once per `PAINT_INTERVAL`. */
function usePaintedVersion() {
  const [painter] = useState(createPainter);
  const [version, setVersion] = useState(0);
  useEffect(() => painter.start(() => setVersion((before) => before + 1)), [painter]);
  return { version, changed: painter.changed };
}

/** Not by animation frames: a hidden tab has none. */
function createPainter() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let paint: (() => void) | undefined;
  function changed() {
    timer ??= setTimeout(() => {
      timer = undefined;
      paint?.();
    }, PAINT_INTERVAL);
  }
  function start(callback: () => void) {
    paint = callback;
    return () => {
      paint = undefined;
      clearTimeout(timer);
      timer = undefined;
    };
  }
  return { changed, start };
}
