import type { ContainerRuntime } from '@nephos/contracts';
import { Notice } from '../ui/notice.tsx';
import { trpc } from './trpc.ts';
import { useNeed } from './use-refusal.ts';

const NOTICE_ID = 'run-refusal';

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

/** For a button that runs code of a project: disabled where that is refused, with the page's notice as its description. */
export function useRunButton(projectId: string) {
  const need = useNeed('build');
  const refusal = useRunRefusal(projectId);
  if (refusal === undefined || need.disabled) return need;
  return { disabled: true, title: refusal, 'aria-describedby': NOTICE_ID } as const;
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
    <div id={NOTICE_ID} className="mb-6">
      <Notice tone="warning" title={reason} />
    </div>
  );
}
