import { DEFAULT_FILE_PATH } from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import { formatSize } from '../../lib/format.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Switch } from '../../ui/switch.tsx';
import { FilePicker } from './file-picker.tsx';
import { useUpload } from './use-upload.ts';

const DEFAULTS: UploadDraft = { file: null, filePath: DEFAULT_FILE_PATH, isPublic: false };

/** Closing it ends an upload under way. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const draft = useDraft(DEFAULTS);
  const upload = useUpload(onClose);
  const { file, ...where } = draft.values;

  return (
    <FormDialog
      title="Upload File"
      description="It is stored on this server, private unless you say otherwise."
      label="Upload"
      ready={file !== null}
      action={upload}
      onSubmit={() => file && upload.run({ file, ...where })}
      onClose={onClose}
      cancel={upload.pending && <Button onClick={upload.cancel}>Cancel upload</Button>}
    >
      <UploadFields draft={draft} errors={upload.fields} disabled={upload.pending} />
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
      <Field label="Path" error={errors.filePath} hint="The folder that the file is shown in.">
        <Input
          value={values.filePath}
          onChange={(event) => set('filePath', event.target.value)}
          disabled={disabled}
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Public" hint="Anyone who knows its address can download a public file.">
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
