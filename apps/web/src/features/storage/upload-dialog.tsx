import { DEFAULT_FILE_PATH } from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type UploadDraft, UploadFields } from './upload-fields.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useUpload } from './use-upload.ts';

const DEFAULTS: UploadDraft = { file: null, filePath: DEFAULT_FILE_PATH, isPublic: false };

export interface UploadDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function UploadDialog({ open, onOpenChange }: UploadDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Upload File"
        description="It is stored on this server, private unless you say otherwise."
      >
        <UploadForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the dialog: each opening starts from the defaults, and closing it ends an upload under way. */
function UploadForm({ onDone }: { onDone: () => void }) {
  const draft = useDraft(DEFAULTS);
  const upload = useUpload(() => {
    draft.reset();
    onDone();
  });
  const { file, ...where } = draft.values;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (file && !upload.pending) upload.run({ file, ...where });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <UploadFields draft={draft} errors={upload.fields} disabled={upload.pending} />
      {upload.pending && file && <UploadProgress sent={upload.sent} total={file.size} />}
      {upload.refusal && <Notice tone="danger" title={upload.refusal} />}
      <DialogFooter>
        {upload.pending ? (
          <Button onClick={upload.cancel}>Cancel upload</Button>
        ) : (
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
        )}
        <Button type="submit" variant="primary" disabled={!file} pending={upload.pending}>
          Upload
        </Button>
      </DialogFooter>
    </form>
  );
}
