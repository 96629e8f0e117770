import { expect, it } from 'vitest';
import { parseBlocks } from './markdown-blocks.ts';

it('reads headings, and paragraphs over several lines', () => {
  expect(parseBlocks('# One\nfirst\nsecond\n\nthird\n## Two')).toEqual([
    { kind: 'heading', level: 1, text: 'One' },
    { kind: 'paragraph', text: 'first second' },
    { kind: 'paragraph', text: 'third' },
    { kind: 'heading', level: 2, text: 'Two' },
  ]);
});

it('keeps fenced code as it is, to its end or to that of the text', () => {
  expect(parseBlocks('```sh\n# not a heading\n\n  - indented\n```\n~~~\nopen')).toEqual([
    { kind: 'code', code: '# not a heading\n\n  - indented' },
    { kind: 'code', code: 'open' },
  ]);
});

it('reads lists whose items hold more than a line', () => {
  expect(parseBlocks('3. one\n   more\n\n   ```\n   code\n   ```\n\n4. two\n\nafter')).toEqual([
    {
      kind: 'list',
      ordered: true,
      start: 3,
      items: [
        [
          { kind: 'paragraph', text: 'one more' },
          { kind: 'code', code: 'code' },
        ],
        [{ kind: 'paragraph', text: 'two' }],
      ],
    },
    { kind: 'paragraph', text: 'after' },
  ]);
});

it('tells lists from each other, and nests them', () => {
  expect(parseBlocks('- a\n  - b\n- c\n1. d')).toEqual([
    {
      kind: 'list',
      ordered: false,
      start: 1,
      items: [
        [
          { kind: 'paragraph', text: 'a' },
          { kind: 'list', ordered: false, start: 1, items: [[{ kind: 'paragraph', text: 'b' }]] },
        ],
        [{ kind: 'paragraph', text: 'c' }],
      ],
    },
    { kind: 'list', ordered: true, start: 1, items: [[{ kind: 'paragraph', text: 'd' }]] },
  ]);
});

it('ends with any text at all', () => {
  for (const text of ['', '\n\n', '-', '- ', '1.', '1. \n', '```', '#', '- a\n\n\n- b', ' - a', '  x\n - y'])
    expect(Array.isArray(parseBlocks(text))).toBe(true);
});
