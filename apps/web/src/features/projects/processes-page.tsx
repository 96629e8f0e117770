import type { AppProcess, Project } from '@nephos/contracts';
import { MAX_PROCESSES } from '@nephos/contracts/constants';
import { getRouteApi } from '@tanstack/react-router';
import { Cpu, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useChanges } from '../../lib/use-changes.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { DisksSection } from './disks-section.tsx';
import { InstanceList } from './process-instances.tsx';
import { describeLimits, isSame, without } from './process-settings.ts';

const ProcessDialog = lateDialog({ fields: 4 }, () =>
  import('./process-dialog.tsx').then(({ ProcessDialog }) => ProcessDialog),
);

const route = getRouteApi('/_console/projects/$projectId/processes');

/** What runs of an app, in how many instances and within which limits; and the folders that outlive its releases. */
export function ProcessesPage() {
  const { projectId } = route.useParams();
  const utils = trpc.useUtils();
  const input = { id: projectId };
  const [project] = trpc.projects.get.useSuspenseQuery(input);
  const [processes] = trpc.processes.list.useSuspenseQuery(input);
  const [{ disks, node, shared, ...support }] = trpc.disks.list.useSuspenseQuery(input);
  useChanges(trpc.processes.changes, input, {
    refetch: () => void utils.processes.list.invalidate(input),
    onChange: ({ data }) => utils.processes.list.setData(input, data),
  });
  const hasDisk = disks.length > 0;
  const isSite = project.framework === 'static' || (project.detected !== null && processes.length === 0);
  return (
    <div className="flex flex-col gap-10">
      {isSite ? (
        <NoProcesses framework={project.framework} />
      ) : (
        <ProcessSection project={project} processes={processes} hasDisk={hasDisk} />
      )}
      {/* A disk that is there counts as storage until it is deleted, whatever the app has become. */}
      {(!isSite || hasDisk) && <DisksSection {...{ projectId, disks, support, node, shared }} />}
    </div>
  );
}

function NoProcesses({ framework }: Pick<Project, 'framework'>) {
  const instead =
    framework === 'static' ? '' : ' To run a process instead, set a start command in Settings and deploy.';
  return (
    <EmptyState
      icon={Cpu}
      title="No processes"
      description={`A static site is served as files. It has no processes and needs no disk.${instead}`}
    />
  );
}

interface ProcessSectionProps {
  project: Project;
  processes: readonly AppProcess[];
  hasDisk: boolean;
}

function ProcessSection({ project, processes, hasDisk }: ProcessSectionProps) {
  /** Which one is edited; '' while one is added, null while no dialog is open. */
  const [editing, setEditing] = useState<string | null>(null);
  const need = useNeed('build');
  const isFull = project.settings.processes.length >= MAX_PROCESSES;
  const add = (
    <Button
      reason={isFull ? `A project can have up to ${MAX_PROCESSES} processes.` : undefined}
      {...need}
      onClick={() => setEditing('')}
    >
      <Plus aria-hidden="true" />
      Add worker
    </Button>
  );
  return (
    <section aria-label="Processes" className="flex flex-col gap-4">
      <Notice title="Changes take effect on the next restart or deployment">
        The web process gets the requests. Workers run in the background and get none.
      </Notice>
      {processes.length === 0 ? (
        <EmptyState
          icon={Cpu}
          title="No processes yet"
          description="The first deployment finds the web process and the lines of a Procfile. You can add workers now."
          action={add}
        />
      ) : (
        <>
          {processes.map((process) => (
            <ProcessCard
              key={process.name}
              project={project}
              process={process}
              hasDisk={hasDisk}
              onEdit={() => setEditing(process.name)}
            />
          ))}
          <div>{add}</div>
        </>
      )}
      {editing !== null && (
        <ProcessDialog
          project={project}
          process={processes.find(({ name }) => name === editing)}
          names={processes.map(({ name }) => name)}
          hasDisk={hasDisk}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  );
}

interface ProcessCardProps extends Omit<ProcessSectionProps, 'processes'> {
  process: AppProcess;
  onEdit: () => void;
}

function ProcessCard({ project, process, hasDisk, onEdit }: ProcessCardProps) {
  const { name, command, source } = process;
  const need = useNeed('build');
  const isRemovable =
    source === 'settings' && project.settings.processes.some(isSame(name)) && name !== 'web';
  return (
    <Card>
      <CardHeader
        title={name}
        description={describeLimits(project.settings, name, { hasDisk })}
        aside={
          <>
            <IconButton label={`Edit ${name}`} title={`Edit ${name}`} {...need} onClick={onEdit}>
              <Pencil />
            </IconButton>
            {isRemovable && <RemoveProcess project={project} name={name} />}
          </>
        }
      />
      <p className="mt-3 break-words font-mono text-sm">
        {command || <span className="font-sans text-faint">Detected on the next deployment</span>}
      </p>
      <InstanceList process={process} />
    </Card>
  );
}

function RemoveProcess({ project, name }: { project: Project; name: string }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.projects.update.useMutation(), {
    success: 'Process removed',
    failure: 'Failed to remove the process',
    serverSpeaks: true,
    refresh: [utils.processes.list, utils.projects.list],
    onDone: (saved) => utils.projects.get.setData({ id: saved.id }, saved),
  });
  const settings = { processes: without(project.settings.processes, name) };
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      description="Its command, instances and limits are removed. It keeps running until the next restart or deployment."
      label="Remove process"
      action={remove}
      onConfirm={(close) => remove.run({ id: project.id, settings }, close)}
      trigger={(ask) => (
        <IconButton label={`Remove ${name}`} title={`Remove ${name}`} onClick={ask}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
