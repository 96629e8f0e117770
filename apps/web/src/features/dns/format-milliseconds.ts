/** A short time: whole milliseconds from 10 on, one decimal below, so that a fast answer is not `0 ms`. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 10) return `${Math.round(milliseconds)} ms`;
  return `${Math.max(0.1, Math.round(milliseconds * 10) / 10)} ms`;
}
