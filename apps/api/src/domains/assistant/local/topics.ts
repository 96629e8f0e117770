import type { AssistantScope } from '@nephos/contracts';
import { connectDatabase } from './reports/connect-database.ts';
import { cost } from './reports/cost.ts';
import { createDockerfile } from './reports/dockerfile.ts';
import { pointDomain, silentDomain } from './reports/domains.ts';
import { failure } from './reports/failure.ts';
import { readGuides } from './reports/guides.ts';
import { greeting, identity } from './reports/identity.ts';
import { inventory } from './reports/inventory.ts';
import { kubernetesManifest } from './reports/kubernetes-manifest.ts';
import { logs } from './reports/logs.ts';
import { bullets, paragraphs } from './reports/markdown.ts';
import { asksForOpinion, hasKeywords, type Words } from './reports/question.ts';
import { pullImage, pushImage } from './reports/registry.ts';
import type { Topic } from './reports/report.ts';
import { status } from './reports/status.ts';

/** Words of a question that says hardly anything but its keywords. */
const FEW_WORDS = 5;
/** Words of a question that is still a question of ours. */
const MOST_WORDS = 40;
/** Examples for somebody whose question fits nothing. */
const OFFERED = 4;

const { guides, dockerfiles } = readGuides();
const ANSWERS = [
  greeting,
  silentDomain,
  failure,
  kubernetesManifest,
  ...guides,
  ...dockerfiles.map(({ topic }) => topic),
  createDockerfile(dockerfiles),
  pointDomain,
  logs,
  connectDatabase,
  pushImage,
  pullImage,
  cost,
  status,
  identity,
  inventory,
];

/** All topics, in the order in which they are tried: the first that fits a question answers it. */
export const TOPICS: readonly Topic[] = [...ANSWERS, helpWith(ANSWERS)];

/** The topic of a question; undefined where none fits. */
export function topicOf(words: Words, scope: AssistantScope): Topic | undefined {
  if (words.length > MOST_WORDS || asksForOpinion(words)) return undefined;
  return TOPICS.find(({ keywords, keywordsInScope = [], keywordsAlone = [], scopes }) =>
    [
      ...keywords,
      ...(scopes.includes(scope) ? keywordsInScope : []),
      ...(words.length <= FEW_WORDS ? keywordsAlone : []),
    ].some((line) => hasKeywords(words, line)),
  );
}

/** Says that the rules have no answer, and what they have one for. */
export function answerUnknown(scope: AssistantScope): string {
  const { here, elsewhere } = examplesOf(TOPICS, scope);
  return paragraphs(
    "I can't answer that without a model. The admin of this server can connect one by setting `OPENAI_API_KEY`. Without it, I can answer questions like these:",
    bullets([...here, ...elsewhere].slice(0, OFFERED)),
    'Type `help` to see everything I can answer.',
  );
}

function helpWith(topics: readonly Topic[]): Topic {
  return {
    name: 'help',
    example: '',
    scopes: [],
    keywords: ['what can you do|answer', 'what can i ask'],
    keywordsAlone: ['help', 'commands'],
    // biome-ignore lint/correctness/useYield: an answer that needs no tool
    async *answer({ scope }) {
      const { here, elsewhere } = examplesOf(topics, scope);
      return paragraphs(
        'My answers are rule-based, without a model. I can read your resources but not change them. In this tab, you can ask:',
        bullets(here),
        'In any tab:',
        bullets(elsewhere),
      );
    },
  };
}

function examplesOf(topics: readonly Topic[], scope: AssistantScope) {
  const offered = topics.filter(({ example }) => example !== '');
  return {
    here: offered.filter(({ scopes }) => scopes.includes(scope)).map(({ example }) => example),
    elsewhere: offered.filter(({ scopes }) => !scopes.includes(scope)).map(({ example }) => example),
  };
}
