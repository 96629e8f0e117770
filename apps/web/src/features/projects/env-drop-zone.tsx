import { type DragEvent, type ReactNode, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/toast.ts';

/** Bytes of a file that can be variables: more is refused by the server. */
const MAX_BYTES = 512 * 1024;

/** Hands over the text of an `.env` file, or says that it cannot be one. */
export async function readEnvFile(file: File, onText: (text: string) => void): Promise<void> {
  if (file.size <= MAX_BYTES) return onText(await file.text());
  toast({
    title: 'Error',
    description: 'This file is too large for an .env file.',
    variant: 'destructive',
  });
}

/** Takes an `.env` file that is dropped anywhere on what it holds. */
export function EnvDropZone({ onText, children }: { onText: (text: string) => void; children: ReactNode }) {
  const [over, setOver] = useState(false);

  function drag(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  }

  async function drop(event: DragEvent) {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    await readEnvFile(file, onText);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped can be chosen or pasted as well
    <div
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
      className={classNames('rounded-xl', over && 'outline-2 outline-accent outline-offset-4 outline-dashed')}
    >
      {children}
    </div>
  );
}
