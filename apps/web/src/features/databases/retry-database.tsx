import type { ManagedDatabase } from '@nephos/contracts';
import { RotateCcw } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';

/** Makes a failed database again. */
export function RetryDatabase({ database: { id, name } }: { database: ManagedDatabase }) {
  const utils = trpc.useUtils();
  const retry = useAction(trpc.databases.retry.useMutation(), {
    failure: 'Failed to create database',
    serverSpeaks: true,
    refresh: [utils.databases.list, utils.databases.get],
  });
  return (
    <Button size="sm" {...retry.button} aria-label={`Retry ${name}`} onClick={() => retry.run({ id })}>
      {!retry.pending && <RotateCcw aria-hidden="true" />}
      Retry
    </Button>
  );
}
