import { useState } from 'react';
import { usePaintedVersion } from '../../lib/use-painted-version.ts';
import { useStreamRetry } from '../../lib/use-stream-retry.ts';
import { trpc } from '../../trpc.ts';
import { LogBuffer } from './log-buffer.ts';

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
