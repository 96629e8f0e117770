import type { ContainerImage } from '@nephos/contracts';
import { findImage, onlyOne } from './find.ts';
import { block, code, paragraphs } from './markdown.ts';
import { type Reading, read } from './read.ts';
import type { LocalTurn, Topic } from './report.ts';

interface Place {
  /** Host of the registry. */
  host: string;
  handle: string;
  /** Command that logs a client in. */
  login: string;
  /** The one that the question names. */
  image: ContainerImage | undefined;
  /** The one there is, where there are no others. */
  only: ContainerImage | undefined;
  /** A hint where Docker refuses plain http; '' where it does not. */
  insecure: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;
const PLAIN_WORD = /^[A-Za-z0-9@%+=:,./_-]+$/;
const TOKEN =
  'The password is an access token from your **Account** page (scope read to pull, write to push).';

async function* placeOf(turn: LocalTurn): Reading<Place> {
  const { host, secure, namespace } = yield* read(turn, ['containers', 'registry'], {});
  const { email } = yield* read(turn, ['auth', 'user'], {});
  const { named, newest } = yield* findImage(turn);
  const username = PLAIN_WORD.test(email) ? email : `'${email.replaceAll("'", "'\\''")}'`;
  const isPlain = !secure && !LOOPBACK.test(host);
  return {
    host,
    handle: namespace,
    login: `docker login --username ${username} ${host}`,
    image: named,
    only: onlyOne(newest),
    insecure: isPlain
      ? `This registry uses plain HTTP: first add \`"insecure-registries": ["${host}"]\` to \`/etc/docker/daemon.json\`.`
      : '',
  };
}

export const pushImage: Topic = {
  name: 'push-image',
  example: 'How do I push an image?',
  scopes: ['container'],
  keywords: ['push*|publish image*|container*|registry|docker', 'docker login'],
  keywordsInScope: ['push*'],
  async *answer(turn) {
    const { host, handle, login, image, insecure } = yield* placeOf(turn);
    const name = image ? `${image.name}:${image.tag}` : `${handle}/<name>:latest`;
    const local = image?.name.split('/').at(-1) ?? '<name>';
    return paragraphs(
      `Your images live under ${code(`${host}/${handle}/`)}. Log in, build and push:`,
      block('sh', `${login}\ndocker build -t ${host}/${name} .\ndocker push ${host}/${name}`),
      `To push an image you already have, tag it first: \`docker tag ${local} ${host}/${name}\`.`,
      TOKEN,
      insecure,
    );
  },
};

export const pullImage: Topic = {
  name: 'pull-image',
  example: 'How do I pull my image?',
  scopes: ['container'],
  keywords: ['pull*|download image*|container*|registry|docker', 'pull instructions'],
  keywordsInScope: ['pull*|download'],
  async *answer(turn) {
    const { host, handle, login, insecure, only, ...place } = yield* placeOf(turn);
    const image = place.image ?? only;
    const name = image ? `${image.name}:${image.tag}` : `${handle}/<name>:<tag>`;
    const pull = `docker pull ${host}/${name}`;
    return paragraphs(
      image && !image.digest
        ? 'Nothing has been pushed to it yet. After the first push:'
        : 'Pull it with any client:',
      block('sh', image?.isPublic ? pull : `${login}\n${pull}`),
      image?.isPublic ? 'It is public, so no login is needed.' : TOKEN,
      insecure,
    );
  },
};
