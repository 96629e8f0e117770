import { ImageReference } from '@nephos/contracts';
import { findImage, findProject } from './find.ts';
import { block, bold, bullets, code, paragraphs } from './markdown.ts';
import { type Reading, read } from './read.ts';
import type { LocalTurn, Topic } from './report.ts';

/** What may stand for an image in a sentence: it has a path, a tag or a digest. */
const IMAGE_LIKE =
  /(?:^|\s)((?:[\w.[\]:-]+\/)*[\w.-]+(?::[\w.-]+|@sha\d+:[0-9a-f]+)|(?:[\w.[\]:-]+\/)+[\w.-]+)(?=[\s,?!]|\.?$)/i;
/** The bare name of one. */
const AFTER_WORD = /\bimage\s+["'`]?([a-z0-9][\w./:@-]*[a-z0-9])/;
const HOST = /\b(?:host|domain|at|under|ingress\s+(?:for|of|on|to))\s+((?:[a-z0-9-]+\.)+[a-z]{2,})\b/i;
const PORT = /\bport\s+(\d{1,5})\b/i;
const REPLICAS = /\b(\d{1,3})\s*(?:to|-|–|and)\s*(\d{1,3})\s+(?:replicas|pods|instances)\b/i;
const NGINX = /(?:^|\/)nginx(?:[:@]|$)/;
const DEFAULT_PORT = 8080;

export const kubernetesManifest: Topic = {
  name: 'kubernetes-manifest',
  example: 'Write a Kubernetes manifest for nginxinc/nginx-unprivileged:1.29',
  scopes: ['kubernetes'],
  keywords: ['kubernetes|k8s|kubectl|manifest*|ingress|autoscal*|helm'],
  keywordsInScope: ['yaml|yml|deploy*|image|project|app'],
  async *answer(turn) {
    const settings = settingsIn(turn.question);
    const { newest, named: project } = yield* findProject(turn);
    const image = project ? undefined : (imageIn(turn.question) ?? (yield* ownImage(turn)));
    const subject = project ? { projectId: project.id } : image ? { image } : undefined;
    if (!subject) {
      return paragraphs(
        'For which image or project? For example:',
        bullets([
          'Write a manifest for `registry.example.com/ada/shop:1.2` on port 3000 at shop.example.com',
          ...newest.rows.slice(0, 3).map(({ name }) => `Write a manifest for the project ${bold(name)}`),
        ]),
      );
    }
    const { fileName, yaml } = yield* read(turn, ['assistant', 'manifest'], { ...subject, ...settings });
    return paragraphs(
      `A Deployment, a Service and an autoscaler${settings.host ? ', and an Ingress' : ''} for ${project ? bold(project.name) : code(image ?? '')}. Save it as ${code(fileName)}, then run \`kubectl apply -f ${fileName}\`:`,
      block('yaml', yaml),
      image ? needsOf(image, settings.port) : '',
      settings.host ? '' : 'For an Ingress, add its host: `at shop.example.com`.',
    );
  },
};

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

function imageIn(question: string): string | undefined {
  const candidates = [question.match(IMAGE_LIKE)?.[1], question.match(AFTER_WORD)?.[1]];
  return candidates.find((image) => image && ImageReference.safeParse(image).success);
}

async function* ownImage(turn: LocalTurn): Reading<string | undefined> {
  const { named } = yield* findImage(turn);
  if (!named) return undefined;
  const { host } = yield* read(turn, ['containers', 'registry'], {});
  return `${host}/${named.name}:${named.tag}`;
}

/** What an image has to be like, which nobody but its owner knows. */
function needsOf(image: string, port = DEFAULT_PORT): string {
  return paragraphs(
    `The image must listen on port ${port} and run without root. For another port, add for example \`on port 3000\`.`,
    NGINX.test(image) ? 'The `nginx` image needs root; `nginxinc/nginx-unprivileged` does not.' : '',
  );
}
