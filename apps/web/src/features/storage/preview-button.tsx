import type { StoredFile } from '@nephos/contracts';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { previewKind } from './preview-kind.ts';

/** A look at a file without downloading it, where its type allows that. */
export function PreviewButton({ file }: { file: StoredFile }) {
  const [open, setOpen] = useState(false);
  const kind = previewKind(file.mimeType);
  if (!kind) return null;
  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Preview ${file.fileName}`} onClick={() => setOpen(true)}>
        <Eye aria-hidden="true" />
        Preview
      </Button>
      <PreviewDialog file={file} kind={kind} open={open} onOpenChange={setOpen} />
    </>
  );
}
