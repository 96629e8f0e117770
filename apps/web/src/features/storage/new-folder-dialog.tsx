import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import type { StoragePlace } from './storage-search.ts';

interface NewFolderDialogProps {
  place: StoragePlace;
  onClose: () => void;
}

/** Nothing is written: a folder is there as long as files are in it. */
const NOTHING = {
  pending: false,
  fields: {},
  refusal: undefined,
  forbidden: undefined,
  reset: () => {},
  button: { pending: false },
};

/** Leads to a folder that has no files yet. */
export function NewFolderDialog({ place: { bucket, folder = '/' }, onClose }: NewFolderDialogProps) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const trimmed = name.trim();
  const error = problemOf(trimmed);
  return (
    <FormDialog
      title="New folder"
      description="It is kept once a file is in it."
      label="Open folder"
      ready={trimmed !== '' && error === undefined}
      action={NOTHING}
      onSubmit={() => {
        onClose();
        void navigate({ to: '/storage', search: { bucket, folder: `${folder}${trimmed}/` } });
      }}
      onClose={onClose}
    >
      <Field label="Name" required error={error}>
        <PlainInput value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  );
}

function problemOf(name: string): string | undefined {
  if (/[/\\]/.test(name)) return 'A name cannot contain / or \\.';
  return name.includes('..') ? 'A name cannot contain "..".' : undefined;
}
