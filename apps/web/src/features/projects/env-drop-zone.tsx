import { type DragEvent, type ReactNode, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/toast.ts';

/** Bytes of a file that can be variables: more is refused by the server. */
const MAX_BYTES = 512 * 1024;

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
    if (file.size > MAX_BYTES) {
      toast({
        title: 'Error',
        description: 'This file is too large for an .env file.',
        variant: 'destructive',
      });
      return;
    }
    onText(await file.text());
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped can be pasted as well, by the keyboard
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
