import { shortImage } from '@nephos/contracts/constants';

/** A reference in one line: where there is no room for all of it, its tag is what stays. */
export function ImageTitle({ image }: { image: string }) {
  const whole = shortImage(image);
  const [, name = whole, tag = ''] = /^(.+?)(:[^:/]+)?$/.exec(whole) ?? [];
  return (
    <span title={whole} className="inline-flex min-w-0">
      <span className="truncate">{name}</span>
      <span className="max-w-1/2 shrink-0 truncate">{tag}</span>
    </span>
  );
}
