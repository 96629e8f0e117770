import type { ContainerImage } from '@nephos/contracts';
import { findImage } from '../find-image.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { block, paragraphs } from '../markdown.ts';
import { type Reading, read } from '../read.ts';

interface Place {
  /** Host of the registry. */
  host: string;
  /** What the client says of itself. */
  login: string;
  handle: string;
  image: ContainerImage | undefined;
  /** A hint where Docker refuses plain http; '' where it does not. */
  insecure: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;
const PLAIN_WORD = /^[A-Za-z0-9@%+=:,./_-]+$/;
const TOKEN =
  'The password is an access token, which you make on your **Account** page (scope read to pull, write to push).';

async function* placeOf(turn: LocalTurn): Reading<Place> {
  const { host, secure } = yield* read(turn, ['containers', 'registry'], {});
  const { handle, email } = yield* read(turn, ['auth', 'user'], {});
  const { image } = yield* findImage(turn);
  const insecure =
    secure || LOOPBACK.test(host)
      ? ''
      : `This registry speaks plain http: add \`"insecure-registries": ["${host}"]\` to \`/etc/docker/daemon.json\` first.`;
  return {
    host,
    handle,
    login: `docker login --username ${PLAIN_WORD.test(email) ? email : `'${email.replaceAll("'", "'\\''")}'`} ${host}`,
    image,
    insecure,
  };
}

export const pushImage: Intent = {
  name: 'push-image',
  example: 'How do I push an image?',
  scopes: ['container', 'kubernetes'],
  about: ['image'],
  matches: [
    ['push', 'image'],
    ['how', 'push', 'image'],
  ],
  matchesInScope: [['push']],
  unless: ['mobile', 'file'],
  async *answer(turn): Answer {
    const { host, handle, login, image, insecure } = yield* placeOf(turn);
    const name = image ? `${image.name}:${image.tag}` : `${handle}/<name>:latest`;
    const local = image?.name.split('/').at(-1) ?? '<name>';
    return paragraphs(
      `Images of yours live under ${`\`${host}/${handle}/\``}. Build it, name it so, and push:`,
      block('sh', `${login}\ndocker build -t ${host}/${name} .\ndocker push ${host}/${name}`),
      `An image that you have already: \`docker tag ${local} ${host}/${name}\`.`,
      TOKEN,
      insecure,
    );
  },
};

export const pullImage: Intent = {
  name: 'pull-image',
  example: 'How do I pull my image?',
  scopes: ['container', 'kubernetes'],
  about: ['image'],
  matches: [
    ['pull', 'image'],
    ['how', 'pull', 'image'],
    ['connect', 'image'],
  ],
  matchesInScope: [['pull'], ['connect']],
  unless: ['file', 'log', 'mobile', 'database'],
  async *answer(turn): Answer {
    const { host, handle, login, image, insecure } = yield* placeOf(turn);
    const name = image ? `${image.name}:${image.tag}` : `${handle}/<name>:<tag>`;
    const pull = `docker pull ${host}/${name}`;
    return paragraphs(
      image && !image.digest ? 'Nothing was pushed to it yet; once there is:' : 'Pull it with any client:',
      block('sh', image?.isPublic ? pull : `${login}\n${pull}`),
      image?.isPublic ? 'It is public, so nobody has to log in.' : TOKEN,
      insecure,
    );
  },
};
