import type { Project } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { LeadingRecords, useLeadingRecords } from '../../lib/leading-records.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';

const NAMES = new Intl.ListFormat('en');

/** What a deletion leaves. */
function afterDeletion({ repositoryUrl, pushed, image }: Project, hasPreviews: boolean): string {
  if (pushed) return ' So does the repository that you push to.';
  const previews = hasPreviews ? ' Its previews are deleted as well.' : '';
  if (repositoryUrl) return `${previews} The Git repository is not affected.`;
  return image ? ' The image is not affected.' : '';
}

export interface DeleteProjectDialogProps {
  project: Project;
  onClose: () => void;
}

/** The way out of a project, which asks for its name and tells what leads to it. */
export function DeleteProjectDialog({ project, onClose }: DeleteProjectDialogProps) {
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const { data: containers } = trpc.projects.containerRuntime.useQuery();
  const { data: own } = trpc.customDomains.list.useQuery({ id: project.id }, { staleTime: 0 });
  const { deleteRecords, isLooking, ...leading } = useLeadingRecords({ id: project.id });
  const { data: previews = [] } = trpc.previews.list.useQuery({ id: project.id }, { staleTime: 0 });
  const hasPreviews = previews.length > 0;
  const builtImages = containers?.available ? ' Images built for it leave the container registry.' : '';
  const domains = own?.domains.map(({ domain }) => domain) ?? [];
  const remove = useAction(trpc.projects.remove.useMutation(), {
    success: 'Project deleted',
    failure: 'Failed to delete project',
    serverSpeaks: true,
    refresh: [utils.projects.list, utils.dns.list, utils.dns.zones, utils.dns.changes],
    // Once it is out of sight: going back has to ask the server, and find it gone.
    onDone: () =>
      void navigate({ to: '/deployments' }).then(() => utils.projects.get.reset({ id: project.id })),
  });
  return (
    <DeleteDialog
      title="Delete project?"
      description={`Permanently deletes the app with its releases, disks, logs and environment variables.${afterDeletion(project, hasPreviews)}${builtImages}`}
      name={project.name}
      label="Delete project"
      action={{ ...remove, pending: remove.pending || isLooking }}
      onConfirm={() => remove.run({ id: project.id, deleteRecords }, onClose)}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4 empty:hidden">
        {domains.length > 0 && (
          <p className="wrap-anywhere">{`The app no longer answers at ${NAMES.format(domains)}.`}</p>
        )}
        <LeadingRecords {...leading} />
      </div>
    </DeleteDialog>
  );
}
