import { classNames } from '../../ui/class-names.ts';

const TONES = {
  success: 'bg-success ring-success/25',
  warning: 'bg-warning ring-warning/25',
  danger: 'bg-danger ring-danger/25',
};

/** Decoration beside words that say the state. */
export function StatusDot({ tone }: { tone: keyof typeof TONES }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('inline-block size-2 shrink-0 rounded-full ring-3', TONES[tone])}
    />
  );
}
