import type { StoredFile } from '@nephos/contracts';
import { downloadPath } from '@nephos/contracts/constants';
import { useQuery } from '@tanstack/react-query';
import { type CallError, sentenceOf } from '../../lib/errors.ts';
import { formatSize } from '../../lib/format.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { askForFile } from './ask-for-file.ts';

/** Bytes of a text that are fetched and shown. */
const SHOWN_BYTES = 64 * 1024;

/** The beginning of a text; characters that the limit cuts through are left out. */
async function readBeginning({ id, fileSize }: StoredFile): Promise<string> {
  if (fileSize === 0) return '';
  const range = `bytes=0-${SHOWN_BYTES - 1}`;
  const response = await askForFile(downloadPath(id), { headers: { range } });
  return new TextDecoder().decode(await response.arrayBuffer(), { stream: fileSize > SHOWN_BYTES });
}

export function TextPreview({ file }: { file: StoredFile }) {
  const text = useQuery<string, CallError>({
    queryKey: ['file-text', file.id],
    queryFn: () => readBeginning(file),
  });
  if (text.isPending) {
    return (
      <SkeletonGroup label="Loading the text">
        <Skeleton className="h-60" />
      </SkeletonGroup>
    );
  }
  if (text.isError) {
    return <Notice tone="danger" title={sentenceOf(text.error, 'This file could not be loaded')} />;
  }
  if (text.data === '') return <p className="py-8 text-center text-muted">This file is empty.</p>;
  return (
    <>
      <CodeBlock code={text.data} label="text" />
      {file.fileSize > SHOWN_BYTES && (
        <p className="mt-3 text-muted text-sm">
          These are the first {formatSize(SHOWN_BYTES)}. Download the file to read all of it.
        </p>
      )}
    </>
  );
}
