import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

export interface CodeBlockProps {
  /** Text as it is copied. */
  code: string;
  /** What it is; the accessible name of the block. */
  label: string;
  /** What is shown in place of `code`, where that is secret. */
  shown?: string;
  /** Breaks long lines, for one that is to be read whole rather than as code. */
  wrap?: boolean;
  /** Beside the copy button; below the text where there is no room. */
  action?: ReactNode;
  className?: string;
}

/** Commands, keys or configuration in the mono face, to copy whole. */
export function CodeBlock({ code, label, shown = code, wrap = false, action, className }: CodeBlockProps) {
  return (
    <div
      className={classNames(
        'flex rounded-lg border border-line bg-sunken',
        action !== undefined && 'flex-wrap justify-end',
        className,
      )}
    >
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame has to be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className={classNames(
          'max-h-[60dvh] min-w-0 grow overflow-auto rounded-lg p-4',
          action !== undefined && 'basis-88',
        )}
      >
        <pre className={classNames('text-sm leading-relaxed', wrap && 'whitespace-pre-wrap break-all')}>
          <code>{shown}</code>
        </pre>
      </section>
      <div
        className={classNames(
          'flex shrink-0 items-start gap-1',
          action === undefined ? 'm-2.5' : 'mx-2.5 mb-2.5 self-end',
        )}
      >
        {action}
        <CopyButton value={code} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
