import type { NewUpload, StoredFile } from '@nephos/contracts';
import { UPLOAD_PATH } from '@nephos/contracts/constants';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CallError } from '../../lib/errors.ts';
import { sendBytes } from '../../lib/send-bytes.ts';
import { trpc } from '../../lib/trpc.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { toast } from '../../ui/toast.ts';
import { unlessTaken } from './path-taken.tsx';
import { UNKNOWN_TYPE } from './unknown-type.ts';

export interface Upload extends Required<Omit<NewUpload, 'fileName'>> {
  file: File;
}

export interface UploadAction extends Action<Upload> {
  /** The upload that found its path taken. */
  taken: Upload | undefined;
  /** Bytes that have left so far. */
  sent: number;
  cancel: () => void;
}

/** Sends a file; it ends when it is cancelled, and when whoever shows it is gone. */
export function useUpload(onDone: () => void): UploadAction {
  const utils = trpc.useUtils();
  const [sent, setSent] = useState(0);
  const [taken, setTaken] = useState<Upload>();
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function send(upload: Upload) {
    const { file, isPublic, ...where } = upload;
    const query = new URLSearchParams({ fileName: file.name, isPublic: String(isPublic), ...where });
    abort.current = new AbortController();
    setSent(0);
    const sending = sendBytes<StoredFile>({
      url: `${UPLOAD_PATH}?${query}`,
      bytes: file,
      type: file.type || UNKNOWN_TYPE,
      signal: abort.current.signal,
      onProgress: setSent,
    });
    const stored = await unlessTaken(sending);
    if (!stored) setTaken(upload);
    return stored;
  }

  const action = useAction(useMutation<StoredFile | null, CallError, Upload>({ mutationFn: send }), {
    failure: 'Failed to upload file',
    refresh: [utils.storage.list, utils.storage.subfolders],
    onDone(stored) {
      if (!stored) return;
      toast({ title: 'File uploaded successfully' });
      onDone();
    },
  });
  return { ...action, taken, sent, cancel: () => abort.current?.abort() };
}
