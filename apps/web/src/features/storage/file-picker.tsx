import { MAX_UPLOAD_BYTES } from '@nephos/contracts/constants';
import { FileUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { formatSize } from '../../lib/format.ts';
import { classNames } from '../../ui/class-names.ts';
import { useFieldControl } from '../../ui/field.tsx';
import { dismissToast, toast } from '../../ui/toast.ts';

interface FilePickerProps {
  file: File | null;
  onPick: (file: File) => void;
  disabled: boolean;
}

const FRAME_STYLES = classNames(
  'relative flex min-h-28 flex-col items-center justify-center gap-1 rounded-lg border border-control-line border-dashed px-4 py-5 text-center transition-colors',
  'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-ring has-[:enabled]:hover:bg-hover/50',
);

/** A frame to drop a file on, or to choose one by. A file over the limit is not taken. */
export function FilePicker({ file, onPick, disabled }: FilePickerProps) {
  const [over, setOver] = useState(false);
  const refused = useRef(false);
  useDropGuard();

  function take(files: FileList | null) {
    if (!files?.length) return;
    const picked = onlyFile(files);
    // What the last choice was refused for says nothing of this one.
    if (picked && refused.current) dismissToast();
    refused.current = !picked;
    if (picked) onPick(picked);
  }

  function change({ target }: ChangeEvent<HTMLInputElement>) {
    take(target.files);
    // Choosing the same file again, once it has changed, has to be a change too.
    target.value = '';
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!disabled) take(event.dataTransfer.files);
  }

  return (
    <div className={classNames(FRAME_STYLES, over && 'border-ring bg-accent-soft')}>
      <FileUp aria-hidden="true" className="mb-1 size-5 text-faint" />
      <Picked file={file} />
      {/* Over all of the frame, so that a click, a drop and the keyboard all reach the browser's own control. */}
      <input
        {...useFieldControl()}
        type="file"
        disabled={disabled}
        onChange={change}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      {/* The control above is emptied after each choice, so this tells the dialog that there is one. */}
      <input type="hidden" value={file ? `${file.name} ${file.size} ${file.lastModified}` : ''} />
    </div>
  );
}

function Picked({ file }: Pick<FilePickerProps, 'file'>) {
  return (
    <div role="status" className="max-w-full">
      <p className="truncate font-medium">{file ? file.name : 'Drop a file here'}</p>
      <p className="text-muted text-sm">
        {file ? `${formatSize(file.size)} · drop or choose another` : 'or click to choose one'}
      </p>
    </div>
  );
}

/** The one file of a choice or a drop; a toast says why there is none. */
function onlyFile(files: FileList): File | null {
  const [file] = files;
  if (!file) return null;
  if (files.length > 1) {
    toast({ title: 'One file at a time', description: 'Please drop a single file', variant: 'destructive' });
    return null;
  }
  if (file.size > MAX_UPLOAD_BYTES) {
    toast({
      title: 'File too large',
      description: 'Please select a file smaller than 10MB',
      variant: 'destructive',
    });
    return null;
  }
  return file;
}

function refuse(event: Event) {
  event.preventDefault();
}

/** Keeps a file that is dropped beside its frame from taking the page's place. */
function useDropGuard(): void {
  useEffect(() => {
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}
