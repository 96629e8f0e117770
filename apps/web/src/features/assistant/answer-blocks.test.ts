import { expect, it, test } from 'vitest';
import { splitAnswer } from './answer-blocks.ts';

const prose = (text: string) => ({ kind: 'prose', text });

it('cuts at empty lines and around fences', () => {
  expect(splitAnswer('# Title\none\ntwo\n\nthree:\n```YAML\na: 1\n\nb: 2\n```\nfour')).toEqual([
    prose('# Title\none\ntwo'),
    prose('three:'),
    { kind: 'code', language: 'yaml', code: 'a: 1\n\nb: 2' },
    prose('four'),
  ]);
});

it('takes code to its own fence, or to the end of what came so far', () => {
  expect(splitAnswer('````md\n```sh\nls\n```\n````\n~~~\nopen\n')).toEqual([
    { kind: 'code', language: 'md', code: '```sh\nls\n```' },
    { kind: 'code', language: '', code: 'open\n' },
  ]);
});

it('keeps a list whole, with what is indented in it', () => {
  const list = '1. one\n\n   ```sh\n   ls\n\n   pwd\n   ```\n\n2. two\n   more';
  expect(splitAnswer(`${list}\n\nafter`)).toEqual([prose(list), prose('after')]);
  const introduced = `Do this:\n${list}`;
  expect(splitAnswer(`${introduced}\n\nafter`)).toEqual([prose(introduced), prose('after')]);
  expect(splitAnswer('- a\n```sh\nls\n```')).toEqual([
    prose('- a'),
    { kind: 'code', language: 'sh', code: 'ls' },
  ]);
});

it('leaves finished blocks as they are, wherever the text is cut', () => {
  const text =
    'First *words*.\n\n- a\n- b\n\nThen:\n- c\n\n  d\n\n```yaml\na: 1\n```\n\n| a |\n| - |\n| 1 |\n\nLast.';
  const whole = splitAnswer(text);
  for (let length = 0; length <= text.length; length += 1) {
    const finished = splitAnswer(text.slice(0, length)).slice(0, -1);
    expect(finished).toEqual(whole.slice(0, finished.length));
  }
});

test('64 KiB are cut in no time, whatever they hold', () => {
  for (const piece of ['```\n', '- \n\n', '> ', '\n', '    ```x\n', '~~~~a\n\n1. ', ' \t\n'])
    expect(splitAnswer(piece.repeat(65_536 / piece.length)).length).toBeLessThan(65_536);
});
