export interface ProgressProps {
  /** What is under way; the accessible name. */
  label: string;
  /** How much of `max` is done. */
  value: number;
  max: number;
}

/** How far something has come. */
export function Progress({ label, value, max }: ProgressProps) {
  const percent = max === 0 ? 100 : Math.min(100, Math.floor((value / max) * 100));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-hover"
    >
      <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
    </div>
  );
}
