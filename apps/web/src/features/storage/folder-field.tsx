import { useId } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { useStoragePlace } from './storage-search.ts';

interface FolderFieldProps {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  disabled?: boolean;
}

/** The folder of a file, with those that there are as suggestions. */
export function FolderField({ value, onChange, error, disabled }: FolderFieldProps) {
  const { bucket } = useStoragePlace();
  const { data: folders = [] } = trpc.storage.folders.useQuery(
    bucket === undefined ? undefined : { bucketId: bucket },
    { refetchOnMount: 'always' },
  );
  const suggestions = useId();
  return (
    <>
      <Field label="Path" error={error} hint="Folder to store the file in, like /uploads/">
        <PlainInput
          value={value}
          onChange={(event) => onChange(event.target.value)}
          disabled={disabled}
          list={suggestions}
          // The arrow that browsers draw is none of ours; the list opens without it.
          className="[&::-webkit-calendar-picker-indicator]:hidden!"
        />
      </Field>
      <datalist id={suggestions}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </>
  );
}

/** A folder as it is stored, with the slashes that people leave out. */
export function folderOf(typed: string): string {
  return `/${typed.trim()}/`.replaceAll(/\/{2,}/g, '/');
}
