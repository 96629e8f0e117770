import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { redefine } from './definers.ts';

const DUMP = [
  'CREATE DEFINER=`db_old`@`%` PROCEDURE `p`()',
  '/*!50013 DEFINER=`db_old`@`%` SQL SECURITY DEFINER */',
  '/*!50003 CREATE*/ /*!50017 DEFINER=`db_old`@`%`*/ /*!50003 trigger t */;;',
  '/*!50106 CREATE*/ /*!50117 DEFINER=`db_old`@`%`*/ /*!50106 EVENT `e` */ ;;',
].join('\n');
const KEPT = [
  "(1,'CREATE DEFINER=`db_old`@`%` PROCEDURE'),",
  'CREATE DEFINER=`db_older`@`%` PROCEDURE `q`()',
  '',
  ' CREATE DEFINER=`db_old`@`%`',
  'CREATE DEFINER=',
].join('\n');

async function through(text: string, size: number): Promise<string> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const out: Buffer[] = [];
  for await (const chunk of Readable.from(chunks).pipe(redefine('db_old', 'db_renewed'))) out.push(chunk);
  return Buffer.concat(out).toString();
}

it.each([1, 2, 17, 64, 10_000])(
  'renames definers, and nothing of the rows, in chunks of %i bytes',
  async (size) => {
    const text = `${DUMP}\n${KEPT}`;
    expect(await through(text, size)).toBe(`${DUMP.replaceAll('db_old', 'db_renewed')}\n${KEPT}`);
  },
);
