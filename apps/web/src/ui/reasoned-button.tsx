import type { ComponentProps, MouseEvent } from 'react';
import { Tooltip } from './tooltip.tsx';

export interface ReasonedButtonProps extends ComponentProps<'button'> {
  /** Why it does nothing for now. It can be reached all the same, by keyboard and finger too, and says so. */
  reason?: string | undefined;
}

/** A native button that can say why it does nothing: one that is `disabled` cannot be asked. */
export function ReasonedButton({ reason, ...props }: ReasonedButtonProps) {
  const { disabled, title, onClick, onPointerDown, onKeyDown, ...rest } = props;
  const isRefused = reason !== undefined;
  return (
    <Tooltip content={reason ?? ''} disabled={!isRefused}>
      <button
        type="button"
        {...rest}
        {...(isRefused
          ? { 'aria-disabled': true, 'aria-description': reason, onClick: refuse }
          : { disabled, title, onClick, onPointerDown, onKeyDown })}
      />
    </Tooltip>
  );
}

/** What would send a form sends none. */
function refuse(event: MouseEvent) {
  event.preventDefault();
}
