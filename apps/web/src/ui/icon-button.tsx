import { classNames } from './class-names.ts';
import { ReasonedButton, type ReasonedButtonProps } from './reasoned-button.tsx';

export interface IconButtonProps extends Omit<ReasonedButtonProps, 'aria-label'> {
  /** What the button does; its accessible name. */
  label: string;
  size?: 'sm' | 'md';
}

/** A square button that shows only its icon. */
export function IconButton({ label, size = 'md', className, ...props }: IconButtonProps) {
  return (
    <ReasonedButton
      aria-label={label}
      {...props}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-md text-muted transition-colors',
        'hover:bg-hover hover:text-fg disabled:opacity-55 aria-disabled:opacity-55 data-[state=open]:bg-hover data-[state=open]:text-fg',
        '[&_svg]:size-4 [&_svg]:shrink-0',
        size === 'sm' ? 'size-8' : 'size-9',
        className,
      )}
    />
  );
}
