import type { ClusterNode } from '@nephos/contracts';
import { CircleCheck, CirclePause, CircleX, Plus } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

const ROLES = { manager: 'Manager', worker: 'Worker' } as const;

/** The machines that apps run on, and the way to another one. */
export function Nodes({ nodes }: { nodes: readonly ClusterNode[] }) {
  const [command, setCommand] = useState<string>();
  const join = useAction(trpc.admin.joinCommand.useMutation(), {
    failure: 'Failed to get the join command',
    serverSpeaks: true,
    onDone: (made) => setCommand(made.joinCommand),
  });
  return (
    <div className="basis-full">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-faint text-sm">Machines</p>
        <Button size="sm" pending={join.pending} onClick={() => join.run({ renew: false })}>
          <Plus aria-hidden="true" />
          Add a machine
        </Button>
      </div>
      <ul aria-label="Machines" className="mt-1.5 divide-y divide-line border-line border-t text-sm">
        {nodes.map((node) => (
          <li key={node.address} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <span className="break-all font-medium">{node.name}</span>
            <NodeState {...node} />
            <span className="break-words text-muted">{factsOf(node)}</span>
          </li>
        ))}
      </ul>
      {command !== undefined && (
        <JoinCommand
          command={command}
          renewing={join.pending}
          onRenew={() => join.run({ renew: true })}
          onClose={() => setCommand(undefined)}
        />
      )}
    </div>
  );
}

function NodeState({ state, availability }: Pick<ClusterNode, 'state' | 'availability'>) {
  if (state === 'down') return <Mark tone="danger" icon={CircleX} label="Down" />;
  if (availability === 'active') return <Mark tone="success" icon={CircleCheck} label="Ready" />;
  return <Mark tone="neutral" icon={CirclePause} label={availability === 'drain' ? 'Drained' : 'Paused'} />;
}

interface MarkProps {
  tone: 'danger' | 'success' | 'neutral';
  icon: typeof CircleX;
  label: string;
}

function Mark({ tone, icon: Icon, label }: MarkProps) {
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {label}
    </Badge>
  );
}

function factsOf({ isHere, role, address, version, instances }: ClusterNode): string {
  return [
    ...(isHere ? ['This machine'] : []),
    ROLES[role],
    address,
    `Docker ${version}`,
    `${instances} ${instances === 1 ? 'instance' : 'instances'}`,
  ].join(' · ');
}

interface JoinCommandProps {
  command: string;
  renewing: boolean;
  onRenew: () => void;
  onClose: () => void;
}

function JoinCommand({ command, renewing, onRenew, onClose }: JoinCommandProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Add a machine"
        description="Install Docker on it and run this command there. It must reach this machine on ports 2377, 7946 (TCP and UDP) and 4789 (UDP)."
      >
        <div className="flex flex-col gap-4">
          <CodeBlock code={command} label="join command" wrap />
          <Notice tone="warning" title="Keep the command secret">
            Whoever has it can join and is given apps with their variables. Replace the token if it got out:
            earlier commands stop working, and machines that joined stay.
          </Notice>
          <DialogFooter>
            <Button pending={renewing} onClick={onRenew}>
              Replace token
            </Button>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </DialogFooter>
        </div>
      </DialogContent>
    </Dialog>
  );
}
