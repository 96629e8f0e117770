import type { StoredFile } from '@nephos/contracts';
import { downloadPath } from '@nephos/contracts/constants';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type CallError, sentenceOf } from '../../lib/errors.ts';
import { formatSize } from '../../lib/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { askForFile } from './ask-for-file.ts';
import frameScript from './pdf-frame.ts?worker&url';
import type { PdfMessage, PdfReport } from './pdf-messages.ts';

/** Bytes of a PDF that are shown: it is read whole. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A look at a PDF. Its bytes are handed to a frame without our origin, whose script draws them. */
export function PdfPreview({ file }: { file: StoredFile }) {
  const isTooLarge = file.fileSize > MOST_BYTES;
  const bytes = useQuery<ArrayBuffer, CallError>({
    queryKey: ['file-bytes', file.id, file.uploadedAt],
    queryFn: async () => (await askForFile(downloadPath(file.id), {})).arrayBuffer(),
    enabled: !isTooLarge,
    gcTime: 0,
  });
  if (isTooLarge) {
    return <Notice title={`PDFs over ${formatSize(MOST_BYTES)} have no preview. Download the file.`} />;
  }
  if (bytes.isError) {
    return <Notice tone="danger" title={sentenceOf(bytes.error, 'This file could not be loaded')} />;
  }
  if (bytes.isPending) return <Loading />;
  return <PdfFrame title={file.fileName} bytes={bytes.data} />;
}

function Loading() {
  return (
    <SkeletonGroup label="Loading the PDF">
      <Skeleton className="h-[70dvh]" />
    </SkeletonGroup>
  );
}

const FAILURES = {
  locked: 'This PDF asks for a password. Download it to open it.',
  broken: 'This PDF could not be displayed',
} as const;

function PdfFrame({ title, bytes }: { title: string; bytes: ArrayBuffer }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [said, setSaid] = useState<PdfReport>();
  useEffect(() => {
    function hear({ data, source }: MessageEvent<PdfReport>) {
      const window = frame.current?.contentWindow;
      if (!window || source !== window) return;
      setSaid(data);
      // Its origin is nobody's, so it cannot be named. A copy: the frame may ask again.
      if ('isReady' in data) window.postMessage({ bytes: bytes.slice(0) } satisfies PdfMessage, '*');
    }
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [bytes]);
  if (said && 'failure' in said) return <Notice tone="danger" title={FAILURES[said.failure]} />;
  return (
    <>
      <iframe
        ref={frame}
        title={title}
        sandbox="allow-scripts"
        srcDoc={pageOf(frameScript)}
        className="h-[70dvh] w-full rounded-lg border border-line bg-sunken"
      />
      <p role="status" className="mt-2 text-muted text-sm">
        {said && 'pages' in said ? pagesOf(said.pages) : 'Opening…'}
      </p>
    </>
  );
}

function pagesOf(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`;
}

/** It keeps our content security policy, so nothing but our own script runs in it. */
function pageOf(script: string): string {
  const address = new URL(script, window.location.origin).href;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>PDF</title><script type="module" crossorigin src="${address}"></script></head><body></body></html>`;
}
