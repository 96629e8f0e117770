// Checks a file of activity that was exported as JSON lines: node verify-activity.mjs activity.jsonl
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const lines = createInterface({ input: createReadStream(process.argv[2]), crlfDelay: Infinity });
const sorted = (_, value) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
function fail(why) {
  console.error(why);
  process.exit(1);
}

let chain, head, position, hash;
for await (const line of lines) {
  if (!line) continue;
  const parsed = JSON.parse(line);
  if (!head) {
    ({
      chain,
      head,
      after: { position, hash },
    } = parsed);
    continue;
  }
  position += 1;
  const text = JSON.stringify(parsed.record, sorted);
  hash = createHash('sha256').update(Buffer.from(hash, 'hex')).update(text).digest('hex');
  const fits = parsed.record.position === position && parsed.record.chain === chain && parsed.hash === hash;
  if (!fits)
    fail(
      `Record ${position} is not what was sealed: it was changed, moved, added, or one before it removed.`,
    );
}
if (!head) fail('The file is empty.');
if (position !== head.position || hash !== head.hash) fail(`Records after ${position} are missing.`);
console.log(
  `${position} is the newest place, and every record holds. Compare its hash with the console's: ${hash}`,
);
