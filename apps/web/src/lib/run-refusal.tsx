import type { ContainerRuntime } from '@nephos/contracts';
import { Notice } from '../ui/notice.tsx';
import { trpc } from './trpc.ts';
import { useNeed } from './use-refusal.ts';

/** Why this server does not run a project's code for whoever is signed in, as a sentence; undefined where it does. */
function useRunRefusal(projectId: string): string | undefined {
  const { data: project } = trpc.projects.get.useQuery({ id: projectId });
  const { data: runtimes } = trpc.projects.runtimes.useQuery();
  const ofImage = project !== undefined && project.image !== '';
  const { data: containers } = trpc.projects.containerRuntime.useQuery(undefined, { enabled: ofImage });
  const runtime = ofImage ? containers : runtimes?.find(({ framework }) => framework === project?.framework);
  return runtime && reasonOf(runtime);
}

function reasonOf({ available, reason }: ContainerRuntime): string | undefined {
  return available ? undefined : reason;
}

/** For a button that runs code of a project: it does nothing and says why where that is refused. */
export function useRunButton(projectId: string): { reason?: string } {
  const need = useNeed('build');
  const refusal = useRunRefusal(projectId);
  return refusal === undefined || need.reason !== undefined ? need : { reason: refusal };
}

/** Says on a project's pages why nothing of it is run; nothing where it is. */
export function RunRefusalNotice({ projectId }: { projectId: string }) {
  return <Refusal reason={useRunRefusal(projectId)} />;
}

/** Says why no code at all is run for whoever is signed in; nothing where some is. */
export function AllRefusedNotice() {
  const { data: runtimes = [] } = trpc.projects.runtimes.useQuery();
  const [reason, ...others] = new Set(runtimes.map(reasonOf));
  return <Refusal reason={others.length === 0 ? reason : undefined} />;
}

function Refusal({ reason }: { reason: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <div className="mb-6">
      <Notice tone="warning" title={reason} />
    </div>
  );
}
