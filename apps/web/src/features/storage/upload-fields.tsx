import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';
import { FilePicker } from './file-picker.tsx';

export interface UploadDraft {
  file: File | null;
  filePath: string;
  isPublic: boolean;
}

export interface UploadFieldsProps {
  draft: Pick<Draft<UploadDraft>, 'values' | 'set'>;
  errors: FieldErrors;
  disabled: boolean;
}

/** What is uploaded, where to, and for whom. */
export function UploadFields({ draft: { values, set }, errors, disabled }: UploadFieldsProps) {
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
