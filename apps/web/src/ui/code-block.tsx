import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

export interface CodeBlockProps {
  /** Text as it is copied. */
  code: string;
  /** What it is; the accessible name of the block. */
  label: string;
  className?: string;
}

/** Commands, keys or configuration in the mono face, to copy whole. */
export function CodeBlock({ code, label, className }: CodeBlockProps) {
  return (
    <div className={classNames('flex rounded-lg border border-line bg-sunken', className)}>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame has to be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className="max-h-[60dvh] min-w-0 grow overflow-auto rounded-lg p-4"
      >
        <pre className="text-sm leading-relaxed">
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton value={code} label={`Copy ${label}`} className="m-2.5" />
    </div>
  );
}
