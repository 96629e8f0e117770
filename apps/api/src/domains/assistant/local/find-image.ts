import type { ContainerImage } from '@nephos/contracts';
import { findAmongAll } from './find-named.ts';
import type { LocalTurn } from './intent.ts';
import { idOfPage } from './page.ts';
import { type Reading, read, readNewest, unlessRefused } from './read.ts';

/** The one of the person's images that the question or the page is about. */
export async function* findImage(
  turn: LocalTurn,
): Reading<Record<'named' | 'image', ContainerImage | undefined>> {
  const newest = yield* readNewest(turn, 'containers');
  const get = ({ id }: { id: string }) => unlessRefused(read(turn, ['containers', 'get'], { id }));
  const named = yield* findAmongAll(turn, { newest, kind: 'image', namesOf, get });
  const ofPage = idOfPage(turn, 'image');
  const image =
    named ?? newest.rows.find(({ id }) => id === ofPage) ?? (ofPage ? yield* get({ id: ofPage }) : undefined);
  return { named, image };
}

/** With its tag, without it, and without the owner's handle. */
function namesOf({ name, tag }: ContainerImage): string[] {
  return [`${name}:${tag}`, name, name.split('/').at(-1) ?? ''];
}
