/** The frame of a line, and the value at its upper edge. */
interface Frame {
  width: number;
  height: number;
  top: number;
}

/** SVG paths of a line through values with gaps, and of the area below it. A value alone is a short dash. */
export function linePaths(
  values: readonly (number | null)[],
  { width, height, top }: Frame,
): { lines: string; areas: string } {
  const step = width / Math.max(1, values.length - 1);
  const y = (value: number) => round(height - (value / top) * height);
  let lines = '';
  let areas = '';
  for (let from = 0; from < values.length; from += 1) {
    if (values[from] == null) continue;
    let to = from;
    while (values[to + 1] != null) to += 1;
    const points = values
      .slice(from, to + 1)
      .map((value, index) => [round((from + index) * step), y(value ?? 0)] as const);
    const [first] = points;
    if (from === to && first) {
      const end = Math.min(first[0] + Math.min(step, 1), width);
      points.splice(0, 1, [round(end - Math.min(step, 1)), first[1]], [round(end), first[1]]);
    }
    const path = points.map(([px, py]) => `${px} ${py}`).join('L');
    lines += `M${path}`;
    areas += `M${points[0]?.[0]} ${height}L${path}L${points.at(-1)?.[0]} ${height}Z`;
    from = to;
  }
  return { lines, areas };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * The next round number above a value, to end an axis at: 1, 2, 2.5 or 5 times a power of ten; of bytes, so many of
 * their largest fitting unit.
 */
export function roundTop(value: number, base: 1 | 1024 = 1): number {
  if (value <= 0) return 1;
  if (base > 1 && value >= base) return base * roundTop(value / base, base);
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= value) ?? 10;
  return factor * power;
}
