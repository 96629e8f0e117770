import { LoaderCircle } from 'lucide-react';
import { classNames } from './class-names.ts';

/** Decoration beside words that say what one waits for. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={classNames('size-4 animate-spin', className)} />;
}
