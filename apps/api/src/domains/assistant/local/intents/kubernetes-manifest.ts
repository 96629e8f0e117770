import { ImageReference } from '@nephos/contracts';
import { LEXICON } from '../concepts.ts';
import { findImage } from '../find-image.ts';
import { findProject } from '../find-project.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, bullets, code, paragraphs } from '../markdown.ts';
import { COMMON } from '../question.ts';
import { read } from '../read.ts';

/** What may stand for an image in a sentence: it has a path, a tag or a digest, or follows the word. */
const IMAGE_LIKE =
  /(?:^|\s)((?:[\w.[\]:-]+\/)*[\w.-]+(?::[\w.-]+|@sha\d+:[0-9a-f]+)|(?:[\w.[\]:-]+\/)+[\w.-]+)(?=[\s,?!]|\.?$)/i;
const AFTER_WORD = /\bimage\s+(?:called\s+|named\s+)?["'`]?([a-z0-9][\w./:@-]*[a-z0-9])/;
/** What may be an image by its bare name, last of all: any word in that place. */
const AFTER_PREPOSITION =
  /\b(?:for|of|run|deploy)\s+(?:an?\s+|the\s+)?([a-z0-9][a-z0-9_-]{2,})\s*(?:$|[?!.,]|\b(?:on|with|at|under)\s)/i;
const HOST = /\b(?:host|domain|at|under|ingress\s+(?:for|of|on|to))\s+((?:[a-z0-9-]+\.)+[a-z]{2,})\b/i;
const PORT = /\bport\s+(\d{1,5})\b/i;
const REPLICAS = /\b(\d{1,3})\s*(?:to|-|–|and)\s*(\d{1,3})\s+(?:replicas|pods|instances)\b/i;
const NO_NAMES = new Set([
  'for',
  'of',
  'in',
  'with',
  'on',
  'is',
  'from',
  'that',
  'manifest',
  'please',
  'production',
  'staging',
]);
const NGINX = /(?:^|\/)nginx(?:[:@]|$)/;
const DEFAULT_PORT = 8080;

function imageIn(question: string): string | undefined {
  const candidates = [question.match(IMAGE_LIKE)?.[1], question.match(AFTER_WORD)?.[1]];
  return candidates.find((image) => image && !NO_NAMES.has(image) && ImageReference.safeParse(image).success);
}

/** `nginx` of `yaml for nginx`; nothing that questions are about, such as `my app`. */
function bareImageIn(question: string): string | undefined {
  const [, word = ''] = question.toLowerCase().match(AFTER_PREPOSITION) ?? [];
  return word === '' || [LEXICON, COMMON, NO_NAMES].some((words) => words.has(word)) ? undefined : word;
}

/** Host, port and replicas, where the question says them. */
function settingsIn(question: string) {
  const [, host] = question.match(HOST) ?? [];
  const [, port] = question.match(PORT) ?? [];
  const [, minReplicas, maxReplicas] = question.match(REPLICAS) ?? [];
  return {
    ...(host && { host }),
    ...(port && { port: Number(port) }),
    ...(minReplicas && { minReplicas: Number(minReplicas), maxReplicas: Number(maxReplicas) }),
  };
}

export const kubernetesManifest: Intent = {
  name: 'kubernetes-manifest',
  example: 'Write a Kubernetes manifest for nginxinc/nginx-unprivileged:1.29',
  scopes: ['kubernetes'],
  about: ['project', 'image'],
  takesDetails: true,
  matches: [
    ['kubernetes'],
    ['manifest'],
    ['kubernetes', 'manifest'],
    ['kubernetes', 'deploy'],
    ['kubernetes', 'image'],
    ['kubernetes', 'manifest', 'image'],
    ['manifest', 'image'],
    ['manifest', 'project'],
    ['how', 'kubernetes', 'deploy'],
    ['kubernetes', 'deploy', 'project'],
    ['how', 'kubernetes', 'deploy', 'project'],
    ['kubernetes', 'manifest', 'project'],
    ['kubernetes', 'manifest', 'deploy'],
    ['kubernetes', 'manifest', 'deploy', 'project'],
  ],
  matchesInScope: [['deploy', 'image'], ['image'], ['deploy'], ['project', 'change']],
  unless: ['advice', 'compose'],
  async *answer(turn): Answer {
    const settings = settingsIn(turn.question);
    const { projects, project } = yield* findProject(turn);
    const image = project
      ? undefined
      : (imageIn(turn.question) ?? (yield* ownImage(turn)) ?? bareImageIn(turn.question));
    const subject = project ? { projectId: project.id } : image ? { image } : undefined;
    if (!subject) {
      return paragraphs(
        'For which image or project? For example:',
        bullets([
          'Write a manifest for `registry.example.com/ada/shop:1.2` on port 3000 at shop.example.com',
          ...projects.slice(0, 3).map(({ name }) => `Write a manifest for the project ${bold(name)}`),
        ]),
      );
    }
    const { fileName, yaml } = yield* read(turn, ['assistant', 'manifest'], { ...subject, ...settings });
    return paragraphs(
      `A Deployment, a Service and an autoscaler${settings.host ? ', and an Ingress' : ''} for ${project ? bold(project.name) : code(image ?? '')}. Save it as ${code(fileName)}, then \`kubectl apply -f ${fileName}\`:`,
      block('yaml', yaml),
      image ? needsOf(image, settings.port) : '',
      settings.host ? '' : 'For an Ingress too, name its host: `at shop.example.com`.',
      turn.asked.words.includes('helm') ? 'These are plain manifests: Helm charts I do not write.' : '',
    );
  },
};

/** What an image has to be like, which nobody but its owner knows. */
function needsOf(image: string, port = DEFAULT_PORT): string {
  return paragraphs(
    `The image has to listen on port ${port} and to run without root. For another port say, for example, \`on port 3000\`.`,
    NGINX.test(image) ? 'That of nginx needs root; `nginxinc/nginx-unprivileged` does not.' : '',
  );
}

async function* ownImage(turn: Parameters<Intent['answer']>[0]) {
  const { image } = yield* findImage(turn);
  if (!image) return undefined;
  const { host } = yield* read(turn, ['containers', 'registry'], {});
  return `${host}/${image.name}:${image.tag}`;
}
