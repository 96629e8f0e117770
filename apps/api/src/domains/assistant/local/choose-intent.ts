import type { AssistantScope } from '@nephos/contracts';
import type { Concept } from './concepts.ts';
import type { Intent } from './intent.ts';
import { INTENTS } from './intents.ts';
import type { Question } from './question.ts';

/** Words of a question that is about nothing but what it names. */
const SHORT = 5;

/** Of two intents that fit a question equally, the one that is of the scope is better. */
const OF_SCOPE = 0.5;

/** The intent that fits a question best; undefined where none does. Among equals the first of the list wins. */
export function chooseIntent(asked: Question, scope: AssistantScope): Intent | undefined {
  let best: Intent | undefined;
  let bestScore = 0;
  for (const intent of INTENTS) {
    const score = scoreOf(intent, asked, scope);
    if (score > bestScore) {
      best = intent;
      bestScore = score;
    }
  }
  return best;
}

/** The intents of a scope that have most in common with a question, for somebody who has to ask again. */
export function nearestIntents(asked: Question, scope: AssistantScope): Intent[] {
  const common = (intent: Intent) =>
    Math.max(
      0,
      ...allMatches(intent).map((match) => match.filter((concept) => asked.concepts.has(concept)).length),
    ) + (intent.scopes.includes(scope) ? OF_SCOPE : 0);
  return INTENTS.filter(({ example }) => example !== '')
    .map((intent) => ({ intent, common: common(intent) }))
    .sort((a, b) => b.common - a.common)
    .slice(0, 3)
    .map(({ intent }) => intent);
}

function allMatches({ matches, matchesInScope = [], matchesShort = [] }: Intent) {
  return [...matches, ...matchesInScope, ...matchesShort];
}

function scoreOf(intent: Intent, { words, concepts }: Question, scope: AssistantScope): number {
  const { matches, matchesInScope = [], matchesShort = [], unless = [], scopes } = intent;
  if (unless.some((concept) => concepts.has(concept))) return 0;
  const isOfScope = scopes.includes(scope);
  const usable = [
    ...matches,
    ...(isOfScope ? matchesInScope : []),
    ...(words.length <= SHORT ? matchesShort : []),
  ];
  const holds = (match: readonly Concept[]) => match.every((concept) => concepts.has(concept));
  const best = Math.max(0, ...usable.filter(holds).map(({ length }) => length));
  return best > 0 && isOfScope ? best + OF_SCOPE : best;
}
