import { classNames } from '../ui/class-names.ts';

/** The mark alone; the product's name stands beside it or is its link's label. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={classNames('size-7 shrink-0', className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g
        fill="none"
        className="stroke-accent-fg"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M10.2 22.5a4.7 4.7 0 0 1-.5-9.4 6.6 6.6 0 0 1 12.6-1.2 5.4 5.4 0 0 1-.5 10.6Z" />
        <path d="M13 18.2h6.2m0 0-2.3-2.3m2.3 2.3-2.3 2.3" />
      </g>
    </svg>
  );
}

/** Mark and name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <LogoMark />
      <span className="font-semibold text-lg tracking-tight">Nephos</span>
    </span>
  );
}
