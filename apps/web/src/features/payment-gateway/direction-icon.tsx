import { ArrowDownLeft, ArrowUpRight, type LucideIcon, Undo2 } from 'lucide-react';

const ICONS: Record<'out' | 'in' | 'back', LucideIcon> = {
  out: ArrowUpRight,
  in: ArrowDownLeft,
  back: Undo2,
};

/** Which way money went; decoration beside words that say it. */
export function DirectionIcon({ direction }: { direction: keyof typeof ICONS }) {
  const Icon = ICONS[direction];
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-full border border-line bg-sunken text-muted">
      <Icon aria-hidden="true" className="size-4" />
    </span>
  );
}
