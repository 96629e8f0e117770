import type { StoredFile } from '@nephos/contracts';
import { downloadPath } from '@nephos/contracts/constants';
import { useState } from 'react';
import { formatSize } from '../../lib/format.ts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextPreview } from './text-preview.tsx';

export interface PreviewDialogProps {
  file: StoredFile;
  kind: 'image' | 'text';
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function PreviewDialog({ file, kind, open, onOpenChange }: PreviewDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={file.fileName}
        description={`${file.mimeType} · ${formatSize(file.fileSize)}`}
        wide
      >
        {kind === 'image' ? <ImagePreview file={file} /> : <TextPreview file={file} />}
      </DialogContent>
    </Dialog>
  );
}

function ImagePreview({ file: { id, fileName } }: { file: StoredFile }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <Notice tone="danger" title="This image cannot be shown" />;
  return (
    <img
      src={downloadPath(id, { inline: true })}
      alt={fileName}
      onError={() => setBroken(true)}
      className="mx-auto max-h-[70dvh] rounded-lg border border-line bg-sunken"
    />
  );
}
