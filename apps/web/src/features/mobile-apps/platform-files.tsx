import type { BuildFile, MobileApp, PolicyWarning } from '@nephos/contracts';
import { mobileAppZipPath } from '@nephos/contracts/constants';
import { useMutation } from '@tanstack/react-query';
import { BookOpenText, Download, ExternalLink, FileArchive, FileCode } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { CallError } from '../../lib/errors.ts';
import { fetchBlob } from '../../lib/fetch-blob.ts';
import { saveBlob } from '../../lib/save-blob.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CodeFile } from '../../ui/code-file.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SideTabs } from '../../ui/side-tabs.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useSaveMobileApp } from './use-save-mobile-app.ts';

// Its Markdown parser is large, and most visits open no instructions.
const Instructions = lazy(() =>
  import('./instructions.tsx').then((module) => ({ default: module.Instructions })),
);

/** Pixels below which the list of files goes above the file. */
const SIDE_BY_SIDE = 680;

/** What is left of the window below everything else in the dialog. */
const HEIGHT = 'h-[clamp(18rem,100dvh-24rem,40rem)]';

interface PlatformFilesProps {
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

/** Every file of an app, of all its platforms, in one zip archive. */
function DownloadAll({ app: { id, name } }: { app: MobileApp }) {
  const download = useAction(
    useMutation<Blob, CallError>({ mutationFn: () => fetchBlob(mobileAppZipPath(id)) }),
    {
      failure: 'Failed to download files',
      serverSpeaks: true,
      onDone: (archive) => saveBlob(archive, `${name}.zip`),
    },
  );
  return (
    <Button
      size="sm"
      className="w-full"
      aria-label="Download all files as a zip archive"
      pending={download.pending}
      onClick={() => download.run()}
    >
      <FileArchive aria-hidden="true" />
      Download all
    </Button>
  );
}

interface PolicyWarningsProps {
  app: MobileApp;
  warnings: readonly PolicyWarning[];
}

/** What a store or a platform would refuse. It blocks nothing here; one click changes the setting that is to blame. */
export function PolicyWarnings({ app, warnings }: PolicyWarningsProps) {
  const save = useSaveMobileApp(app.buildStatus);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning" title="Before you publish">
      <ul className="mt-1 flex flex-col gap-3 text-sm">
        {warnings.map((warning) => (
          <li key={warning.rule} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="min-w-0 grow basis-48">
              <p className="text-fg">{warning.message}</p>
              <Origin warning={warning} />
            </div>
            {Object.entries(warning.fix ?? {}).map(([setting, level]) => (
              <Button
                key={setting}
                size="sm"
                {...save.button}
                onClick={() => save.run({ id: app.id, ...warning.fix })}
              >
                Use {level}
              </Button>
            ))}
          </li>
        ))}
      </ul>
      {save.refusal && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {save.refusal}
        </p>
      )}
    </Notice>
  );
}

function Origin({ warning: { rule, since, source } }: { warning: PolicyWarning }) {
  return (
    <p className="flex flex-wrap gap-x-3 text-xs">
      <code className="break-all">{rule}</code>
      <span>
        since <time dateTime={since}>{since}</time>
      </span>
      <a
        href={source}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex items-center gap-1 rounded-sm text-accent-text underline underline-offset-4"
      >
        {new URL(source).hostname}
        <ExternalLink aria-hidden="true" className="size-3" />
        <span className="sr-only">(opens in a new tab)</span>
      </a>
    </p>
  );
}
