/** UTF-16 units of what one tool can say. */
export const MAX_OUTPUT = 16 * 1024;

/** Lengths to which texts are cut, one after the other, until the whole is short enough. */
const TEXT_LENGTHS = [12_000, 4000, 1000, 250] as const;

/** What a tool says where it was refused or failed. */
export function refusal(message: string): string {
  return JSON.stringify({ error: message });
}

/**
 * A tool's answer as JSON of at most 16 Ki characters, without the members `withheld`. A longer list keeps its
 * first rows: `{"rows":[…],"total":40,"note":"…"}`. In anything else, long texts lose their middle.
 */
export function outputOf(answer: unknown, withheld: readonly string[]): string {
  const kept = without(answer, withheld);
  const whole = JSON.stringify(kept) ?? 'null';
  if (whole.length <= MAX_OUTPUT) return whole;
  return Array.isArray(kept) ? firstRows(kept) : shortened(kept);
}

function without(answer: unknown, withheld: readonly string[]): unknown {
  if (withheld.length === 0 || typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map((row) => without(row, withheld));
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !withheld.includes(name)));
}

function firstRows(rows: readonly unknown[]): string {
  const texts = rows.map((row) => JSON.stringify(row));
  let length = 200;
  let fitting = 0;
  for (const text of texts) {
    length += text.length + 1;
    if (length > MAX_OUTPUT) break;
    fitting += 1;
  }
  // A first row that is too long by itself says more cut short than left out.
  if (fitting === 0) return shortened(rows[0]);
  return JSON.stringify({
    rows: rows.slice(0, fitting),
    total: rows.length,
    note: `Only the first ${fitting} of ${rows.length} fit. The cursor for more is the last id.`,
  });
}

function shortened(answer: unknown): string {
  for (const length of TEXT_LENGTHS) {
    const text = JSON.stringify(answer, (_, value: unknown) =>
      typeof value === 'string' ? withoutMiddle(value, length) : value,
    );
    if (text.length <= MAX_OUTPUT) return text;
  }
  return refusal('The answer is too long. Ask for a part of it.');
}

/** Both ends of a text say more of it than its beginning: a log's causes stand at the one or the other. */
function withoutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const left = text.slice(0, half).toWellFormed();
  return `${left}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half).toWellFormed()}`;
}
