import type { MobileApp } from '@nephos/contracts';
import { mobileAppZipPath } from '@nephos/contracts/constants';
import { useMutation } from '@tanstack/react-query';
import { FileArchive } from 'lucide-react';
import type { CallError } from '../../lib/errors.ts';
import { fetchBlob } from '../../lib/fetch-blob.ts';
import { saveBlob } from '../../lib/save-blob.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';

/** Every file of an app, of all its platforms, in one zip archive. */
export function DownloadAll({ app: { id, name } }: { app: MobileApp }) {
  const download = useAction(
    useMutation<Blob, CallError>({ mutationFn: () => fetchBlob(mobileAppZipPath(id)) }),
    {
      failure: 'Failed to download files',
      serverSpeaks: true,
      onDone: (archive) => saveBlob(archive, `${name}.zip`),
    },
  );
  return (
    <Button
      size="sm"
      className="w-full"
      aria-label="Download all files as a zip archive"
      pending={download.pending}
      onClick={() => download.run()}
    >
      <FileArchive aria-hidden="true" />
      Download all
    </Button>
  );
}
