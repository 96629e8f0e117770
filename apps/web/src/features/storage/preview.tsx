import type { StoredFile } from '@nephos/contracts';
import { downloadPath, isPreviewable } from '@nephos/contracts/constants';
import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { lazy, useState } from 'react';
import { type CallError, sentenceOf } from '../../lib/errors.ts';
import { formatSize } from '../../lib/format.ts';
import { inWorkspace } from '../../lib/tab-workspace.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { askForFile } from './ask-for-file.ts';

const MediaPreview = lazy(() =>
  import('./media-preview.tsx').then(({ MediaPreview }) => ({ default: MediaPreview })),
);
const PdfPreview = lazy(() =>
  import('./pdf-preview.tsx').then(({ PdfPreview }) => ({ default: PdfPreview })),
);

/** A look at a file without downloading it, where its type allows that. */
export function Preview({ file }: { file: StoredFile }) {
  const [open, setOpen] = useState(false);
  const { fileName, mimeType, fileSize } = file;
  const kind = previewKind(mimeType);
  if (!kind) return null;
  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Preview ${fileName}`} onClick={() => setOpen(true)}>
        <Eye aria-hidden="true" />
        Preview
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title={fileName} description={`${mimeType} · ${formatSize(fileSize)}`} wide>
          {kind === 'image' && <ImagePreview file={file} />}
          {(kind === 'video' || kind === 'audio') && (
            <LatePart wanted onSaid={() => setOpen(false)} fallback={<Skeleton className="h-16" />}>
              <MediaPreview
                {...{ kind, source: sourceOf(file), title: fileName, onClose: () => setOpen(false) }}
              />
            </LatePart>
          )}
          {kind === 'text' && <TextPreview file={file} />}
          {kind === 'pdf' && (
            <LatePart wanted onSaid={() => setOpen(false)} fallback={<Skeleton className="h-[70dvh]" />}>
              <PdfPreview file={file} />
            </LatePart>
          )}
        </DialogContent>
      </Dialog>
    </>
  );
}

/** Where its bytes are shown from. A page shows what it has of the same address, also when they were replaced since. */
function sourceOf({ id, uploadedAt }: StoredFile): string {
  return inWorkspace(`${downloadPath(id, { inline: true })}&uploaded=${Date.parse(uploadedAt)}`);
}

function ImagePreview({ file }: { file: StoredFile }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <Notice tone="danger" title="This image could not be displayed" />;
  const { fileName } = file;
  return (
    <img
      src={sourceOf(file)}
      alt={fileName}
      onError={() => setBroken(true)}
      className="mx-auto max-h-[70dvh] rounded-lg border border-line bg-sunken"
    />
  );
}

/** Bytes of a text that are fetched and shown. */
const SHOWN_BYTES = 64 * 1024;

/** The beginning of a text; characters that the limit cuts through are left out. */
async function readBeginning({ id, fileSize }: StoredFile): Promise<string> {
  if (fileSize === 0) return '';
  const range = `bytes=0-${SHOWN_BYTES - 1}`;
  const response = await askForFile(downloadPath(id), { headers: { range } });
  return new TextDecoder().decode(await response.arrayBuffer(), { stream: fileSize > SHOWN_BYTES });
}

function TextPreview({ file }: { file: StoredFile }) {
  const text = useQuery<string, CallError>({
    queryKey: ['file-text', file.id, file.uploadedAt],
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
          Showing the first {formatSize(SHOWN_BYTES)}. Download the file to see the rest.
        </p>
      )}
    </>
  );
}

const TEXT = /^text\/|^application\/(?:json|xml|yaml|toml|javascript|sql|x-sh|x-yaml)$|\+(?:json|xml|yaml)$/;

/** How a file of this type can be looked at; null where it has to be downloaded. Text is shown as its source. */
export function previewKind(mimeType: string): 'image' | 'video' | 'audio' | 'text' | 'pdf' | null {
  if (TEXT.test(mimeType)) return 'text';
  if (mimeType === 'application/pdf') return 'pdf';
  if (!isPreviewable(mimeType)) return null;
  const [kind] = mimeType.split('/');
  return kind === 'video' || kind === 'audio' ? kind : 'image';
}
