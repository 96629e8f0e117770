import type { AssistantScope } from '@nephos/contracts';
import type { Concept } from '../concepts.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { bullets, paragraphs } from '../markdown.ts';
import { countOf, KINDS, listKind } from './kinds.ts';

/** What a tab is about, where the question does not say. */
const KIND_OF_SCOPE: Partial<Record<AssistantScope, Concept>> = { database: 'database', container: 'image' };

/** Of a kind, where all kinds are listed. */
const SHOWN = 5;

const LISTED = ['project', 'deploy', 'database', 'image', 'domain', 'file', 'mobile', 'marketplace'] as const;

export const inventory: Intent = {
  name: 'inventory',
  example: 'What do I have?',
  scopes: ['general', 'database', 'container'],
  matches: [
    ['what', 'have'],
    ['list', 'have'],
    ...LISTED.map((kind): Concept[] => ['have', kind]),
    // Of the marketplace, people ask for what there is.
    ...LISTED.filter((kind) => kind !== 'marketplace').map((kind): Concept[] => ['list', kind]),
  ],
  matchesShort: [['have'], ...LISTED.map((kind): Concept[] => [kind])],
  unless: ['plan', 'limit', 'again', 'log', 'advice', 'how', 'why', 'fail', 'change', 'password', 'connect'],
  async *answer(turn): Answer {
    const named = KINDS.find(({ concept }) => turn.asked.concepts.has(concept));
    const scoped = KINDS.find(({ concept }) => concept === KIND_OF_SCOPE[turn.scope]);
    const kind = named ?? (turn.asked.words.includes('everything') ? undefined : scoped);
    return kind ? yield* listKind(turn, kind) : yield* everything(turn);
  },
};

async function* everything(turn: LocalTurn): Answer {
  const all: string[] = [];
  for (const { concept, noun, lines } of KINDS) {
    if (concept === 'deploy') continue;
    const found = yield* lines(turn);
    if (found.rows.length === 0) continue;
    const shown = found.rows.slice(0, SHOWN);
    const others = found.rows.length > shown.length ? '\n- and others' : '';
    all.push(paragraphs(`**${countOf(found, noun)}**`, bullets(shown)) + others);
  }
  if (all.length === 0) return 'You have nothing yet. Begin with **New Project** on **Deployments**.';
  return paragraphs('You have:', ...all);
}
