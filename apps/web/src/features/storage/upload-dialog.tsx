import type { IfExists } from '@nephos/contracts';
import { DEFAULT_FILE_PATH } from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import { formatSize } from '../../lib/format.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { useStorageLimit } from '../../lib/use-limit.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Switch } from '../../ui/switch.tsx';
import { FilePicker } from './file-picker.tsx';
import { FolderField, folderOf } from './folder-field.tsx';
import { PathTaken } from './path-taken.tsx';
import { useUpload } from './use-upload.ts';

interface UploadDialogProps {
  /** Where one looks; absent, at all files. */
  folder: string | undefined;
  onClose: () => void;
}

/** Closing it ends an upload under way. */
export function UploadDialog({ folder = DEFAULT_FILE_PATH, onClose }: UploadDialogProps) {
  const draft = useDraft<UploadDraft>({ file: null, filePath: folder, isPublic: false });
  const upload = useUpload(onClose);
  const { file, isPublic } = draft.values;
  const filePath = folderOf(draft.values.filePath);
  const isTaken = upload.taken?.file === file && upload.taken?.filePath === filePath;

  function send(ifExists: IfExists) {
    if (file) upload.run({ file, filePath, isPublic, ifExists });
  }

  return (
    <FormDialog
      title="Upload File"
      description="Files are private unless you make them public. Bulk Upload takes larger ones, and many at once."
      label="Upload"
      ready={file !== null && !isTaken}
      limit={useStorageLimit(file?.size ?? 0)}
      action={upload}
      onSubmit={() => send('refuse')}
      onClose={onClose}
      cancel={upload.pending && <Button onClick={upload.cancel}>Cancel upload</Button>}
    >
      <UploadFields draft={draft} errors={upload.fields} disabled={upload.pending} />
      {isTaken && file && !upload.pending && (
        <PathTaken
          fileName={file.name}
          filePath={filePath}
          replacing="Replacing keeps the existing file's URL and visibility."
          onChoose={send}
        />
      )}
      {upload.pending && file && <UploadProgress sent={upload.sent} total={file.size} />}
    </FormDialog>
  );
}

interface UploadDraft {
  file: File | null;
  filePath: string;
  isPublic: boolean;
}

interface UploadFieldsProps {
  draft: Pick<Draft<UploadDraft>, 'values' | 'set'>;
  errors: FieldErrors;
  disabled: boolean;
}

/** What is uploaded, where to, and for whom. */
function UploadFields({ draft: { values, set }, errors, disabled }: UploadFieldsProps) {
  return (
    <>
      <Field label="File" required error={errors.fileName} hint="One file, max 10MB recommended">
        <FilePicker file={values.file} onPick={(file) => set('file', file)} disabled={disabled} />
      </Field>
      <FolderField
        value={values.filePath}
        onChange={(filePath) => set('filePath', filePath)}
        error={errors.filePath}
        disabled={disabled}
      />
      <Field label="Public" hint="Anyone with the URL can download the file.">
        <Switch
          checked={values.isPublic}
          onCheckedChange={(isPublic) => set('isPublic', isPublic)}
          disabled={disabled}
        />
      </Field>
    </>
  );
}

interface UploadProgressProps {
  /** Bytes that have left so far; a few more than `total` in the end, for the request's own. */
  sent: number;
  /** Bytes of the file. */
  total: number;
}

function UploadProgress({ sent, total }: UploadProgressProps) {
  const done = Math.min(sent, total);
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return (
    <div className="flex flex-col gap-1.5">
      <Progress label="Upload" value={done} max={total} />
      <p className="flex justify-between gap-4 text-muted text-sm">
        <span>{done < total ? 'Uploading…' : 'Storing…'}</span>
        <output>
          {percent}% · {formatSize(done)} of {formatSize(total)}
        </output>
      </p>
    </div>
  );
}
