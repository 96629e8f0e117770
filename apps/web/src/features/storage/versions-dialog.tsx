import type { FileVersion, StoredFile } from '@nephos/contracts';
import { versionDownloadPath } from '@nephos/contracts/constants';
import { Download, Trash2 } from 'lucide-react';
import { formatAgo, formatInstant, formatSize } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { inWorkspace } from '../../lib/tab-workspace.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

interface VersionsDialogProps {
  file: StoredFile;
  onClose: () => void;
}

/** What a file was before, to look at and to bring back. */
export function VersionsDialog({ file: { id, fileName }, onClose }: VersionsDialogProps) {
  const versions = trpc.storageVersions.list.useQuery({ id });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Versions of ${fileName}`}
        description="What it was before. A bucket that keeps versions keeps one with each change."
      >
        {versions.isPending && (
          <SkeletonGroup label="Loading versions">
            <Skeleton className="h-24" />
          </SkeletonGroup>
        )}
        {versions.error && <LoadFailure query={versions} failure="Failed to load the versions" />}
        {versions.data?.length === 0 && (
          <p className="text-muted">No former versions. A bucket's page says whether it keeps them.</p>
        )}
        {versions.data && versions.data.length > 0 && (
          <ul aria-label="Former versions" className="divide-y divide-line">
            {versions.data.map((version) => (
              <VersionRow key={version.id} version={version} fileName={fileName} />
            ))}
          </ul>
        )}
      </DialogContent>
    </Dialog>
  );
}

function VersionRow({ version, fileName }: { version: FileVersion; fileName: string }) {
  const { id, fileSize, uploadedAt } = version;
  const said = `the version of ${formatInstant(uploadedAt)}`;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <p className="min-w-0 grow basis-40">
        <time dateTime={uploadedAt} title={formatInstant(uploadedAt)}>
          {formatAgo(uploadedAt)}
        </time>{' '}
        <span className="text-muted text-sm">· {formatSize(fileSize)}</span>
      </p>
      <a
        href={inWorkspace(versionDownloadPath(id))}
        download={fileName}
        aria-label={`Download ${said}`}
        className={buttonStyles({ size: 'sm' })}
      >
        <Download aria-hidden="true" />
        Download
      </a>
      <RestoreVersion id={id} said={said} />
      <RemoveVersion id={id} said={said} />
    </li>
  );
}

interface OfVersion {
  id: string;
  /** Which one, in the middle of a sentence. */
  said: string;
}

function useRefresh() {
  const utils = trpc.useUtils();
  return [utils.storageVersions.list, utils.storage.list];
}

function RestoreVersion({ id, said }: OfVersion) {
  const restore = useAction(trpc.storageVersions.restore.useMutation(), {
    success: 'Version restored',
    failure: 'Failed to restore the version',
    serverSpeaks: true,
    refresh: useRefresh(),
  });
  return (
    <Button size="sm" aria-label={`Restore ${said}`} {...restore.button} onClick={() => restore.run({ id })}>
      Restore
    </Button>
  );
}

function RemoveVersion({ id, said }: OfVersion) {
  const remove = useAction(trpc.storageVersions.remove.useMutation(), {
    success: 'Version deleted',
    failure: 'Failed to delete the version',
    serverSpeaks: true,
    refresh: useRefresh(),
  });
  return (
    <ConfirmDialog
      title={`Delete ${said}?`}
      description="It cannot be brought back."
      label="Delete version"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <IconButton label={`Delete ${said}`} title="Delete" size="sm" onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
