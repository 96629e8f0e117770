import type { StoredFile } from '@nephos/contracts';
import { useMutation } from '@tanstack/react-query';
import {
  Download,
  File,
  FileArchive,
  FileCode,
  FileImage,
  FileMusic,
  FileText,
  FileVideoCamera,
  type LucideIcon,
} from 'lucide-react';
import { memo } from 'react';
import type { CallError } from '../../lib/errors.ts';
import { formatAgo, formatInstant, formatSize } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { downloadFile } from './ask-for-file.ts';
import { FileMenu } from './file-menu.tsx';
import { Preview } from './preview.tsx';
import { SelectBox } from './selection.tsx';

/** Memoised: there may be thousands, and a page more leaves those before it as they are. */
export const FileCard = memo(function FileCard({ file }: { file: StoredFile }) {
  const { id, fileName, filePath, mimeType, isPublic } = file;
  return (
    <Card className="flex h-full min-h-48 flex-col">
      <header className="flex items-center gap-3">
        <SelectBox id={id} name={fileName} />
        <FileIcon mimeType={mimeType} />
        <div className="min-w-0 grow">
          <h2 className="truncate font-semibold" title={fileName}>
            {fileName}
          </h2>
          <p className="truncate font-mono text-faint text-xs" title={filePath}>
            {filePath}
          </p>
        </div>
        <VisibilityIcon isPublic={isPublic} />
      </header>
      <Facts file={file} />
      <div className="mt-auto pt-5">
        <FileActions file={file} />
      </div>
    </Card>
  );
});

/** What can be done with a file. */
export function FileActions({ file }: { file: StoredFile }) {
  const { fileName, publicUrl } = file;
  return (
    <div className="flex items-center gap-2">
      <DownloadButton file={file} />
      <Preview file={file} />
      <div className="ml-auto flex items-center">
        {publicUrl && <CopyButton value={publicUrl} label={`Copy the public URL of ${fileName}`} />}
        <FileMenu file={file} />
      </div>
    </div>
  );
}

function Facts({ file: { fileSize, mimeType, uploadedAt } }: { file: StoredFile }) {
  return (
    <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      <dt className="text-faint">Size</dt>
      <dd>{formatSize(fileSize)}</dd>
      <dt className="text-faint">Type</dt>
      <dd className="truncate" title={mimeType}>
        {mimeType}
      </dd>
      <dt className="text-faint">Uploaded</dt>
      <dd>
        <time dateTime={uploadedAt} title={formatInstant(uploadedAt)}>
          {formatAgo(uploadedAt)}
        </time>
      </dd>
    </dl>
  );
}

const ICONS: [pattern: RegExp, icon: LucideIcon][] = [
  [/^image\//, FileImage],
  [/^audio\//, FileMusic],
  [/^video\//, FileVideoCamera],
  [/[/+](?:json|xml|javascript|html|css|yaml)$/, FileCode],
  [/^text\/|\/pdf$/, FileText],
  [/[/-](?:zip|gzip|tar|xz|zstd|bzip2?|compressed)$/, FileArchive],
];

/** Decoration that tells files apart by what is in them. */
export function FileIcon({ mimeType }: { mimeType: string }) {
  const Icon = ICONS.find(([pattern]) => pattern.test(mimeType))?.[1] ?? File;
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-lg border border-line bg-sunken text-muted">
      <Icon aria-hidden="true" className="size-4" />
    </span>
  );
}

function DownloadButton({ file }: { file: StoredFile }) {
  const ask = useAction(useMutation<void, CallError>({ mutationFn: () => downloadFile(file) }), {
    failure: 'Failed to download file',
    serverSpeaks: true,
  });
  return (
    <Button
      size="sm"
      aria-label={`Download ${file.fileName}`}
      pending={ask.pending}
      onClick={() => ask.run()}
    >
      <Download aria-hidden="true" />
      Download
    </Button>
  );
}
