import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-accent-fg hover:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-fg hover:bg-hover',
  ghost: 'border-transparent bg-transparent text-muted hover:bg-hover hover:text-fg',
  danger: 'border-transparent bg-danger-solid text-accent-fg hover:bg-danger-solid-hover',
};

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-8 px-3 text-sm [&_svg]:size-3.5',
  md: 'h-9 px-4 text-base [&_svg]:size-4',
  lg: 'h-11 px-5 text-lg [&_svg]:size-4',
};

interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string | undefined;
}

/** The look of a button, for links that are one in all but element. */
export function buttonStyles({ variant = 'secondary', size = 'md', className }: ButtonLook = {}): string {
  return classNames(
    'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border font-medium',
    'transition-colors disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:shrink-0',
    VARIANTS[variant],
    SIZES[size],
    className,
  );
}
