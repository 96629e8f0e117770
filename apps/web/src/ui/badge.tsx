import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type BadgeTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'info';

const TONES: Record<BadgeTone, string> = {
  neutral: 'border-line-strong bg-sunken text-muted',
  accent: 'border-transparent bg-accent-soft text-accent-text',
  success: 'border-transparent bg-success-soft text-success',
  warning: 'border-transparent bg-warning-soft text-warning',
  danger: 'border-transparent bg-danger-soft text-danger',
  info: 'border-transparent bg-info-soft text-info',
};

export interface BadgeProps {
  tone?: BadgeTone;
  /** A lucide icon, or any decoration. */
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A word about a thing. Success, warning, danger and info are for its status only. */
export function Badge({ tone = 'neutral', icon, children, className }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex h-6 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 font-medium text-xs [&_svg]:size-3',
        TONES[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
