import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type NoticeTone = 'info' | 'warning' | 'danger';

const LOOKS: Record<NoticeTone, { icon: LucideIcon; styles: string }> = {
  info: { icon: Info, styles: 'border-line-strong [&>svg]:text-muted' },
  warning: { icon: TriangleAlert, styles: 'border-warning/50 bg-warning-soft [&>svg]:text-warning' },
  danger: { icon: CircleAlert, styles: 'border-danger/50 bg-danger-soft [&>svg]:text-danger' },
};

export interface NoticeProps {
  tone?: NoticeTone;
  title: ReactNode;
  children?: ReactNode;
  /** What can be done about it. */
  action?: ReactNode;
  className?: string;
}

/** Something that a person has to know to go on, in the flow of the page. A danger is announced at once. */
export function Notice({ tone = 'info', title, children, action, className }: NoticeProps) {
  const { icon: Icon, styles } = LOOKS[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'note'}
      className={classNames(
        'flex flex-wrap gap-3 rounded-lg border px-4 py-3',
        // A sentence alone stands beside the middle of its button.
        action && !children ? 'items-center' : 'items-start [&>svg]:mt-0.5',
        styles,
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <div className="min-w-0 grow basis-48">
        <p className="font-medium">{title}</p>
        {children && <div className="mt-0.5 break-words text-muted">{children}</div>}
      </div>
      {action && <div className="flex shrink-0 flex-wrap gap-2">{action}</div>}
    </div>
  );
}
