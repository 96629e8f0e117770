import type { NewUpload, StoredFile } from '@nephos/contracts';
import { UPLOAD_PATH } from '@nephos/contracts/constants';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CallError } from '../../lib/errors.ts';
import { sendBytes } from '../../lib/send-bytes.ts';
import { trpc } from '../../lib/trpc.ts';
import { type Action, useAction } from '../../lib/use-action.ts';

/** What is sent where the browser does not know a file's type. */
const UNKNOWN_TYPE = 'application/octet-stream';

export interface Upload extends Omit<NewUpload, 'fileName'> {
  file: File;
}

export interface UploadAction extends Action<Upload> {
  /** Bytes that have left so far. */
  sent: number;
  cancel: () => void;
}

/** Sends a file; it ends when it is cancelled, and when whoever shows it is gone. */
export function useUpload(onDone: () => void): UploadAction {
  const utils = trpc.useUtils();
  const [sent, setSent] = useState(0);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  function send({ file, filePath, isPublic = false }: Upload) {
    const query = new URLSearchParams({ fileName: file.name, isPublic: String(isPublic) });
    if (filePath !== undefined) query.set('filePath', filePath);
    abort.current = new AbortController();
    setSent(0);
    return sendBytes<StoredFile>({
      url: `${UPLOAD_PATH}?${query}`,
      bytes: file,
      type: file.type || UNKNOWN_TYPE,
      signal: abort.current.signal,
      onProgress: setSent,
    });
  }

  const action = useAction(useMutation<StoredFile, CallError, Upload>({ mutationFn: send }), {
    success: 'File uploaded successfully',
    failure: 'Failed to upload file',
    refresh: [utils.storage.list],
    onDone,
  });
  return { ...action, sent, cancel: () => abort.current?.abort() };
}
