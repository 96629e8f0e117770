import type { StoredFile } from '@nephos/contracts';
import { downloadPath } from '@nephos/contracts/constants';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { CallError } from '../../lib/errors.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { askForFile } from './ask-for-file.ts';

/** Hands the file to the browser, which streams it to the disk; asked for first, since a download cannot say why not. */
export function DownloadButton({ file: { id, fileName } }: { file: StoredFile }) {
  const path = downloadPath(id);
  const ask = useAction(
    useMutation<Response, CallError>({ mutationFn: () => askForFile(path, { method: 'HEAD' }) }),
    {
      failure: 'Failed to download file',
      serverSpeaks: true,
      onDone: () => saveAs(path, fileName),
    },
  );
  return (
    <Button size="sm" aria-label={`Download ${fileName}`} pending={ask.pending} onClick={() => ask.run()}>
      <Download aria-hidden="true" />
      Download
    </Button>
  );
}

function saveAs(path: string, fileName: string) {
  const link = document.createElement('a');
  link.href = path;
  link.download = fileName;
  link.click();
}
