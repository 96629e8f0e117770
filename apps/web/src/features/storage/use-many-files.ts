import type { ManyFilesOutcome } from '@nephos/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { absenceOf, type CallError, isForbidden, isUnauthorized, sentenceOf } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { toast } from '../../ui/toast.ts';

export function countOf(files: number): string {
  return files === 1 ? '1 file' : `${files.toLocaleString('en')} files`;
}

export interface NamedFile {
  id: string;
  fileName: string;
}

/** Something that is done to several files. */
export interface ManyWork {
  /** As in 'Deleting 3 of 12' and '12 files deleted'. */
  doing: string;
  did: string;
  /** Files that one call is for. */
  atOnce: number;
  /** @throws CallError */
  call: (files: readonly NamedFile[]) => Promise<ManyFilesOutcome>;
}

export interface ManyFailure {
  file: NamedFile;
  code: string;
  message: string;
}

interface Report {
  work: ManyWork;
  done: number;
  failed: readonly ManyFailure[];
}

export interface ManyFiles {
  run: (work: ManyWork, files: readonly NamedFile[]) => void;
  /** What is under way. */
  progress: { doing: string; done: number; total: number } | undefined;
  /** What came of the last, where something failed. */
  report: Report | undefined;
  dismiss: () => void;
}

/** Does something to one lot of files after the other, and tells what could not be done to which. */
export function useManyFiles(onDone: () => void): ManyFiles {
  const { storage, storageTrash } = trpc.useUtils();
  const [progress, setProgress] = useState<ManyFiles['progress']>();
  const [report, setReport] = useState<Report>();
  const mutation = useMutation<Report, CallError, { work: ManyWork; files: readonly NamedFile[] }>({
    mutationFn: ({ work, files }) =>
      inLots(work, files, (done) => setProgress({ doing: work.doing, done, total: files.length })),
    onSettled: () => setProgress(undefined),
  });
  const action = useAction(mutation, {
    failure: 'Failed to change the files',
    serverSpeaks: true,
    refresh: [storage.list, storage.subfolders, storage.folders, storageTrash.list],
    onDone: (came) => {
      const { work, done, failed } = came;
      if (failed.length > 0) setReport(came);
      else toast({ title: `${countOf(done)} ${work.did}` });
      onDone();
    },
  });
  return {
    run: (work, files) => {
      setReport(undefined);
      action.run({ work, files });
    },
    progress,
    report,
    dismiss: () => setReport(undefined),
  };
}

async function inLots(
  work: ManyWork,
  files: readonly NamedFile[],
  onProgress: (done: number) => void,
): Promise<Report> {
  const byId = new Map(files.map((file) => [file.id, file]));
  const failed: ManyFailure[] = [];
  let done = 0;
  for (let from = 0; from < files.length; from += work.atOnce) {
    onProgress(from);
    try {
      const outcome = await work.call(files.slice(from, from + work.atOnce));
      done += outcome.done.length;
      for (const { id, ...why } of outcome.failed) {
        const file = byId.get(id);
        if (file) failed.push({ file, ...why });
      }
    } catch (thrown) {
      // What calls throw.
      const error = thrown as CallError;
      if (isUnauthorized(error) || isForbidden(error)) throw error;
      // Of the rest nothing is tried: it would fail for the same reason.
      const message = absenceOf(error) ?? sentenceOf(error, 'It failed.');
      failed.push(...files.slice(from).map((file) => ({ file, code: 'NOT_TRIED', message })));
      break;
    }
  }
  return { work, done, failed };
}
