import * as Radix from 'radix-ui/avatar';
import { classNames } from './class-names.ts';

export interface AvatarProps {
  src?: string | null;
  /** Shown while there is no picture: two initials. */
  fallback: string;
  className?: string;
}

/** Decoration: the person's name always stands beside it, or is its control's label. */
export function Avatar({ src, fallback, className }: AvatarProps) {
  return (
    <Radix.Root
      aria-hidden="true"
      className={classNames(
        'inline-flex size-8 shrink-0 select-none items-center justify-center overflow-hidden rounded-full bg-accent-soft',
        className,
      )}
    >
      {src && <Radix.Image src={src} alt="" className="size-full object-cover" />}
      <Radix.Fallback className="font-semibold text-accent-text text-xs">{fallback}</Radix.Fallback>
    </Radix.Root>
  );
}
