import type { IfExists, StoredFile } from '@nephos/contracts';
import { TRPCClientError } from '@trpc/client';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Whether a write was refused since its path is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.reason === 'FILE_EXISTS';
}

/** What a write that refuses a taken path came to; null where it is taken, which is a question and no failure. */
export async function unlessTaken(write: Promise<StoredFile>): Promise<StoredFile | null> {
  try {
    return await write;
  } catch (error) {
    if (isTaken(error)) return null;
    throw error;
  }
}

interface PathTakenProps {
  fileName: string;
  filePath: string;
  /** What replacing does to the file that is there. */
  replacing: string;
  onChoose: (ifExists: IfExists) => void;
}

/** The button that sent the form cannot have it back, and on a phone the question may be out of sight. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** Asks what becomes of a file whose path is taken. */
export function PathTaken({ fileName, filePath, replacing, onChoose }: PathTakenProps) {
  return (
    <div role="alert">
      <Notice
        tone="warning"
        title={
          <span className="break-words">
            {fileName} already exists in {filePath}
          </span>
        }
      >
        <p>{replacing} Keeping both adds a number to this file's name.</p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button size="sm" onClick={() => onChoose('replace')}>
            Replace
          </Button>
          <Button ref={takeFocus} size="sm" onClick={() => onChoose('rename')}>
            Keep both
          </Button>
        </div>
      </Notice>
    </div>
  );
}
