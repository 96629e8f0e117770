import { describe, expect, test } from 'vitest';
import { block, bold, code } from '../../src/domains/assistant/local/reports/markdown.ts';
import { wordsOf } from '../../src/domains/assistant/local/reports/question.ts';
import { TOPICS, topicOf } from '../../src/domains/assistant/local/topics.ts';
import type { Turn } from '../../src/domains/assistant/responder/responder.ts';
import { NOT_OURS, PHRASINGS } from './assistant-phrasings.ts';

function nameOf(question: string, scope: Turn['scope'] = 'general'): string {
  return topicOf(wordsOf(question), scope)?.name ?? '';
}

describe('a question', () => {
  const phrasings = PHRASINGS.map(([question, topic, scope]) => ({ question, topic, scope }));
  test.each(phrasings)('"$question" is answered by $topic', ({ question, topic, scope }) => {
    expect(nameOf(question, scope)).toBe(topic);
  });

  test.each(NOT_OURS)('"%s" is left to a model', (question) => {
    expect(nameOf(question)).toBe('');
  });

  test('is understood in each way that the help offers, in every tab', () => {
    for (const { name, example, scopes } of TOPICS) {
      if (example === '') continue;
      for (const scope of scopes.length > 0 ? scopes : (['general'] as const)) {
        expect(nameOf(example, scope), example).toBe(name);
      }
    }
  });

  test('that is long is none of ours', () => {
    expect(nameOf('what failed in my last deployment')).toBe('failure');
    expect(nameOf('what failed in my last deployment '.repeat(10))).toBe('');
  });
});

describe('Markdown', () => {
  test('shows what people wrote as they wrote it', () => {
    expect(bold('[x](http://evil) **y**')).toBe('**\\[x\\]\\(http://evil\\) \\*\\*y\\*\\***');
    expect(code('a`b``c')).toBe('```a`b``c```');
    expect(block('text', 'x\n```\n# y\n')).toBe('````text\nx\n```\n# y\n````');
  });
});
