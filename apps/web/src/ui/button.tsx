import { type ButtonSize, type ButtonVariant, buttonStyles } from './button-styles.ts';
import { ReasonedButton, type ReasonedButtonProps } from './reasoned-button.tsx';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends ReasonedButtonProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows a spinner and refuses clicks while the action is under way. */
  pending?: boolean;
}

export function Button({
  variant,
  size,
  pending = false,
  disabled,
  className,
  children,
  ...props
}: ButtonProps) {
  return (
    <ReasonedButton
      {...props}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      className={buttonStyles({ variant, size, className })}
    >
      {pending && <Spinner />}
      {children}
    </ReasonedButton>
  );
}
