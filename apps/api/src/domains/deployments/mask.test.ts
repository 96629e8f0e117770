import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMasking } from './mask.ts';

function masked(secrets: string[], pieces: string[]): string {
  const masker = createMasking(secrets)();
  return pieces.map((piece) => masker.push(piece)).join('') + masker.flush();
}

test.each([
  [['hunter22'], ['the password is hunter22!'], 'the password is ***!'],
  [['hunter22'], ['hunt', 'er2', '2 hunter22'], '*** ***'],
  [['hunter22'], ['hunter2', ' no'], 'hunter2 no'],
  [['short'], ['short stays'], 'short stays'],
  [['secret', 'secretive'], ['secret', 'ive secret'], '*** ***'],
  [['secret', 'secretive'], ['secreti', 'x'], '***ix'],
  [['aaaaab'], ['aaaaaa', 'ab'], 'aa***'],
  [['two\nlines'], ['two\n', 'lines'], '***'],
  [['a.c(d)[e]*'], ['a.c(d)[e]* abc(d)'], '*** abc(d)'],
  [['пароль', '😀😀😀'], ['пар', 'оль 😀😀😀'], '*** ***'],
  [[''], ['nothing'], 'nothing'],
  [['\ud800'.repeat(6), '\0'.repeat(6)], ['nothing'], 'nothing'],
  [['hunter22'], ['hunter2'], 'hunter2'],
])('%j in %j is shown as %j', (secrets, pieces, shown) => {
  expect(masked(secrets, pieces)).toBe(shown);
});

/** The definition itself, tried at every place: what is shown of a text so far, and what waits. */
function byDefinition(secrets: string[], text: string, isLast: boolean) {
  let shown = '';
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    if (!isLast && secrets.some((secret) => secret !== rest && secret.startsWith(rest))) break;
    const found = secrets
      .filter((secret) => rest.startsWith(secret))
      .reduce((longest, secret) => (secret.length > longest.length ? secret : longest), '');
    shown += found === '' ? text[at] : '***';
    at += found.length || 1;
  }
  return { shown, waiting: text.slice(at) };
}

test('shows and holds back what the definition says, however a text is cut', () => {
  // Few letters and repeated parts, so that secrets hold, begin and follow one another, and texts nearly match.
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
  const words = fc.array(word, { minLength: 1, maxLength: 4 });
  const inputs = words.chain((parts) => {
    const joined = fc.array(fc.constantFrom(...parts), { minLength: 2, maxLength: 6 });
    const long = joined.map((some) => some.join('')).filter((some) => some.length >= 6);
    const piece = fc.array(fc.constantFrom(...parts, 'a', '\n'), { maxLength: 5 });
    return fc.record({
      secrets: fc.array(long, { minLength: 1, maxLength: 5 }),
      pieces: fc.array(
        piece.map((some) => some.join('')),
        { maxLength: 8 },
      ),
    });
  });
  fc.assert(
    fc.property(inputs, ({ secrets, pieces }) => {
      const masker = createMasking(secrets)();
      let waiting = '';
      for (const piece of pieces) {
        const expected = byDefinition(secrets, waiting + piece, false);
        expect(masker.push(piece)).toBe(expected.shown);
        waiting = expected.waiting;
      }
      expect(masker.flush()).toBe(byDefinition(secrets, waiting, true).shown);
    }),
    { numRuns: 5000 },
  );
});

const LENGTH = 16_384;

// By trying every secret at every place, each of these takes minutes.
test.each([
  ['ends otherwise', (at: number) => `${'a'.repeat(LENGTH - 1 - at)}b`, `${'a'.repeat(LENGTH - 1)}c`],
  ['goes on and on', (at: number) => `${'a'.repeat(LENGTH - 1 - at)}b`, 'a'.repeat(LENGTH)],
  [
    'is masked before',
    (at: number) => (at === 0 ? 'aaaaaa' : `${'a'.repeat(LENGTH - at)}b`),
    'a'.repeat(LENGTH),
  ],
  [
    'comes close',
    (at: number) =>
      'ab'
        .repeat(at + 3)
        .concat('c'.repeat(at))
        .repeat(99),
    'ab'.repeat(LENGTH / 2),
  ],
])('takes a megabyte that %s in its stride, with the largest variables', (_, secretOf, line) => {
  const secrets = Array.from({ length: 20 }, (_, at) => secretOf(at).slice(-LENGTH));
  const started = Date.now();
  const masker = createMasking(secrets)();
  for (let at = 0; at < 64; at += 1) masker.push(line);
  masker.flush();
  expect(Date.now() - started).toBeLessThan(10_000);
});
