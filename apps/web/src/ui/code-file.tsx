import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

export interface CodeFileProps {
  /** In its project, for example `fastlane/Fastfile`; the accessible name of the text. */
  path: string;
  contents: string;
  /** Before the copy button, for example one to download it. */
  action?: ReactNode;
  /** Shown in place of the contents, for one that reads better laid out. */
  children?: ReactNode;
  /** 'group' where there may be many: a landmark stands alone under its name. */
  role?: 'group';
  className?: string;
}

/** A whole text file under its path, to read and to copy; what is long or wide scrolls inside. */
export function CodeFile({ path, contents, action, children, role, className }: CodeFileProps) {
  return (
    <div
      className={classNames(
        'flex max-h-[70dvh] min-w-0 flex-col rounded-lg border border-line bg-sunken',
        className,
      )}
    >
      <header className="flex items-center gap-1 border-line border-b py-1.5 pr-1.5 pl-4">
        <code className="min-w-0 grow truncate text-muted text-sm" title={path}>
          {path}
        </code>
        {action}
        <CopyButton value={contents} label={`Copy ${path}`} />
      </header>
      <section
        // A scrolling frame has to be reachable by keyboard.
        tabIndex={0}
        role={role}
        aria-label={path}
        className="min-h-0 grow overflow-auto rounded-b-lg p-4"
      >
        {children ?? (
          <pre className="text-sm leading-relaxed">
            <code>{contents}</code>
          </pre>
        )}
      </section>
    </div>
  );
}
