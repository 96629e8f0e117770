import { ImageReference } from '@nephos/contracts';
import { findNamed } from '../find-named.ts';
import { findProject } from '../find-project.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, bullets, code, paragraphs } from '../markdown.ts';
import { PAGE_ROWS, read } from '../read.ts';

/** What may stand for an image in a sentence: it has a path, a tag or a digest, or follows the word. */
const IMAGE_LIKE =
  /(?:^|\s)((?:[\w.[\]:-]+\/)*[\w.-]+(?::[\w.-]+|@sha\d+:[0-9a-f]+)|(?:[\w.[\]:-]+\/)+[\w.-]+)(?=[\s,?!]|\.?$)/i;
const AFTER_WORD = /\bimage\s+(?:called\s+|named\s+)?["'`]?([a-z0-9][\w./:@-]*[a-z0-9])/;
const HOST = /\b(?:host|domain|at|under)\s+((?:[a-z0-9-]+\.)+[a-z]{2,})\b/i;
const PORT = /\bport\s+(\d{1,5})\b/i;
const REPLICAS = /\b(\d{1,3})\s*(?:to|-|–|and)\s*(\d{1,3})\s+(?:replicas|pods|instances)\b/i;
const NO_NAMES = new Set(['for', 'of', 'in', 'with', 'on', 'is', 'from', 'that', 'manifest', 'please']);

function imageIn(question: string): string | undefined {
  const candidates = [question.match(IMAGE_LIKE)?.[1], question.match(AFTER_WORD)?.[1]];
  return candidates.find((image) => image && !NO_NAMES.has(image) && ImageReference.safeParse(image).success);
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
  example: 'Write a Kubernetes manifest for nginx:1.27',
  scopes: ['kubernetes'],
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
    const image = project ? undefined : (imageIn(turn.question) ?? (yield* ownImage(turn)));
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
    );
  },
};

async function* ownImage(turn: Parameters<Intent['answer']>[0]) {
  const images = yield* read(turn, ['containers', 'list'], { limit: PAGE_ROWS });
  const image = findNamed(turn.asked, images, ({ name }) => [name, name.split('/').at(-1) ?? '']);
  if (!image) return undefined;
  const { host } = yield* read(turn, ['containers', 'registry'], {});
  return `${host}/${image.name}:${image.tag}`;
}
