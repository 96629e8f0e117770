import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import type { Selection } from './selection.tsx';
import { countOf, type ManyFiles, type NamedFile } from './use-many-files.ts';

interface SelectionBarProps<File extends NamedFile> {
  selection: Selection<File>;
  /** Whether there are more rows than those that were fetched. */
  hasMore?: boolean;
  many: ManyFiles;
  /** A way to try what failed once more, but otherwise. */
  again?: (failed: NonNullable<ManyFiles['report']>['failed']) => ReactNode;
  /** What can be done. */
  children: ReactNode;
}

/** How many are selected, what can be done with them, how far that is, and what of it failed. */
export function SelectionBar<File extends NamedFile>({
  selection: { rows, selected, setAll },
  hasMore = false,
  many: { progress, report, run, dismiss },
  again,
  children,
}: SelectionBarProps<File>) {
  const all = useRef<HTMLInputElement>(null);
  const isSome = selected.length > 0 && selected.length < rows.length;
  const isBusy = progress !== undefined;
  useEffect(() => {
    if (all.current) all.current.indeterminate = isSome;
  }, [isSome]);
  // The button that began it is gone with what was selected: the focus is then at what all of this is in.
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy && document.activeElement?.contains(all.current)) all.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  return (
    <section
      aria-label="Selection"
      data-sticks
      className={classNames(
        'mb-2 flex flex-col gap-3 py-2',
        // Within reach of whoever selects far below.
        (selected.length > 0 || isBusy) && 'sticky top-14 z-10 bg-canvas',
      )}
    >
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex min-h-8 items-center gap-2 text-sm">
          <input
            ref={all}
            type="checkbox"
            className="size-4 accent-accent"
            checked={selected.length === rows.length && rows.length > 0}
            disabled={rows.length === 0}
            onChange={({ target: { checked } }) => setAll(checked)}
          />
          {hasMore ? 'Select all shown' : 'Select all'}
        </label>
        <p role="status" className="text-muted text-sm tabular-nums empty:hidden">
          {selected.length > 0 && `${selected.length} selected`}
        </p>
        {selected.length > 0 && !isBusy && <div className="flex flex-wrap gap-2">{children}</div>}
        {isBusy && (
          <div className="min-w-40 grow">
            <p role="status" className="mb-1 text-muted text-sm tabular-nums">
              {progress.doing} {progress.done + 1} of {progress.total}…
            </p>
            <Progress label={progress.doing} value={progress.done} max={progress.total} />
          </div>
        )}
      </div>
      {report && (
        <div role="alert">
          <Notice
            tone="warning"
            title={`${countOf(report.failed.length)} could not be ${report.work.did}. ${report.done === 0 ? 'Nothing was done' : `${countOf(report.done)} ${report.done === 1 ? 'was' : 'were'}`}.`}
            action={
              <>
                {again?.(report.failed)}
                <Button
                  size="sm"
                  onClick={() =>
                    run(
                      report.work,
                      report.failed.map(({ file }) => file),
                    )
                  }
                >
                  Try again
                </Button>
                <Button size="sm" variant="ghost" onClick={dismiss}>
                  Dismiss
                </Button>
              </>
            }
          >
            <ul className="max-h-40 overflow-y-auto">
              {report.failed.map(({ file, message }) => (
                <li key={file.id} className="break-words">
                  <span className="font-medium text-fg">{file.fileName}</span>: {message}
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </section>
  );
}
