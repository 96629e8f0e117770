import { describe, expect, test } from 'vitest';
import { chooseIntent } from '../src/domains/assistant/local/choose-intent.ts';
import { DOCKERFILES } from '../src/domains/assistant/local/intents/dockerfiles.ts';
import { INTENTS } from '../src/domains/assistant/local/intents.ts';
import { block, bold, code } from '../src/domains/assistant/local/markdown.ts';
import { readQuestion } from '../src/domains/assistant/local/question.ts';
import type { Turn } from '../src/domains/assistant/responder.ts';
import { NOT_OURS, PHRASINGS } from './assistant-phrasings.ts';

function intentOf(question: string, scope: Turn['scope'] = 'general'): string {
  return chooseIntent(readQuestion(question), scope)?.name ?? '';
}

describe('a question', () => {
  const phrasings = PHRASINGS.map(([question, intent, scope]) => ({ question, intent, scope }));
  test.each(phrasings)('"$question" is answered by $intent', ({ question, intent, scope }) => {
    expect(intentOf(question, scope)).toBe(intent);
  });

  test.each(NOT_OURS)('"%s" is left to a model', (question) => {
    expect(intentOf(question)).toBe('');
  });

  test('is understood in each way that the help offers', () => {
    for (const { name, example, scopes } of INTENTS) {
      if (example !== '') expect(intentOf(example, scopes[0]), example).toBe(name);
    }
  });

  test('of any length is read at once', () => {
    const began = performance.now();
    intentOf('deploymnet faild '.repeat(500));
    intentOf('a'.repeat(8000));
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe('Markdown', () => {
  test('shows what people wrote as they wrote it', () => {
    expect(bold('[x](http://evil) **y**')).toBe('**\\[x\\]\\(http://evil\\) \\*\\*y\\*\\***');
    expect(code('a`b``c')).toBe('```a`b``c```');
    expect(block('text', 'x\n```\n# y\n')).toBe('````text\nx\n```\n# y\n````');
  });
});

test('each framework that is offered is named by its own title', () => {
  for (const { title, words } of DOCKERFILES) {
    const asked = readQuestion(`dockerfile for ${title}`).words.join(' ');
    expect(DOCKERFILES.find((recipe) => recipe.words.test(asked))).toMatchObject({ words });
  }
});
