import type { StoredFile } from '@nephos/contracts';
import { memo } from 'react';
import { formatAgo, formatInstant, formatSize } from '../../lib/format.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadButton } from './download-button.tsx';
import { FileIcon } from './file-icon.tsx';
import { FileMenu } from './file-menu.tsx';
import { PreviewButton } from './preview-button.tsx';

/** Memoised: there may be thousands, and a page more leaves those before it as they are. */
export const FileCard = memo(function FileCard({ file }: { file: StoredFile }) {
  const { fileName, filePath, fileSize, mimeType, isPublic, publicUrl, createdAt } = file;
  return (
    <Card className="flex h-full min-h-48 flex-col">
      <header className="flex items-center gap-3">
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
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-faint">Size</dt>
        <dd>{formatSize(fileSize)}</dd>
        <dt className="text-faint">Type</dt>
        <dd className="truncate" title={mimeType}>
          {mimeType}
        </dd>
        <dt className="text-faint">Uploaded</dt>
        <dd>
          <time dateTime={createdAt} title={formatInstant(createdAt)}>
            {formatAgo(createdAt)}
          </time>
        </dd>
      </dl>
      <div className="mt-auto flex items-center gap-2 pt-5">
        <DownloadButton file={file} />
        <PreviewButton file={file} />
        <div className="ml-auto flex items-center">
          {publicUrl && <CopyButton value={publicUrl} label={`Copy the public URL of ${fileName}`} />}
          <FileMenu file={file} />
        </div>
      </div>
    </Card>
  );
});
