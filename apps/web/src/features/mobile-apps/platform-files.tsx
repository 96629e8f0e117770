import type { BuildFile, MobileApp } from '@nephos/contracts';
import { BookOpenText, Download, FileCode } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { saveBlob } from '../../lib/save-blob.ts';
import { useNarrow } from '../../lib/use-narrow.ts';
import { CodeFile } from '../../ui/code-file.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SideTabs } from '../../ui/side-tabs.tsx';
import { DownloadAll } from './download-all.tsx';

// Its Markdown parser is large, and most visits open no instructions.
const Instructions = lazy(() =>
  import('./instructions.tsx').then((module) => ({ default: module.Instructions })),
);

/** Pixels below which the list of files goes above the file. */
const SIDE_BY_SIDE = 680;

/** What is left of the window below everything else in the dialog. */
const HEIGHT = 'h-[clamp(18rem,100dvh-24rem,40rem)]';

export interface PlatformFilesProps {
  app: MobileApp;
  files: readonly BuildFile[];
}

/** The files of one platform: each to read, to copy and to download, and all of them at once. */
export function PlatformFiles({ app, files }: PlatformFilesProps) {
  const [ref, narrow] = useNarrow<HTMLDivElement>(SIDE_BY_SIDE);
  const tabs = files.map((file) => {
    const { name, folder } = splitPath(file.path);
    return {
      value: file.path,
      icon: isInstructions(file) ? <BookOpenText aria-hidden="true" /> : <FileCode aria-hidden="true" />,
      label: isInstructions(file) ? 'Build instructions' : name,
      note: folder,
      content: <ShownFile file={file} className={narrow ? '' : HEIGHT} />,
    };
  });
  return <SideTabs ref={ref} label="Files" tabs={tabs} narrow={narrow} footer={<DownloadAll app={app} />} />;
}

function ShownFile({ file, className }: { file: BuildFile; className: string }) {
  const { path, contents } = file;
  return (
    <CodeFile
      path={path}
      contents={contents}
      className={className}
      action={
        <IconButton
          label={`Download ${path}`}
          title={`Download ${path}`}
          size="sm"
          onClick={() => saveBlob(new Blob([contents], { type: 'text/plain' }), splitPath(path).name)}
        >
          <Download />
        </IconButton>
      }
    >
      {isInstructions(file) ? (
        <Suspense fallback={<p className="whitespace-pre-wrap break-words">{contents}</p>}>
          <Instructions text={contents} />
        </Suspense>
      ) : null}
    </CodeFile>
  );
}

function isInstructions({ path }: BuildFile): boolean {
  return path.endsWith('.md');
}

function splitPath(path: string): { folder: string; name: string } {
  const cut = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, cut), name: path.slice(cut) };
}
