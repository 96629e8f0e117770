import { access, cp, lchown, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeTree } from '@nephos/db';
import type { AppRecipe } from '../engine.ts';
import { makePrivate } from '../folders.ts';
import type { BuildOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';

const TEMPLATES = resolve(import.meta.dirname, '../../../../../templates');

/** What stands for the version in a recipe's files, and which of them have it. */
const VERSION = '@VERSION@';
const VERSIONED = ['package.json', 'Dockerfile'];

type Place = Pick<BuildOptions, 'folders' | 'account'>;

/** Puts a copy of a template of ours in the place of `folders.app`. Throws `StepFailure` where there is no such template. */
export async function copyTemplate(place: Place, template: string): Promise<void> {
  if (!(await readdir(TEMPLATES)).includes(template)) {
    throw new StepFailure('clone', `The template ${template} no longer exists.`);
  }
  await copySource(place, join(TEMPLATES, template));
}

/** Puts an app of the marketplace, in its version, in the place of `folders.app`. Throws `StepFailure` where there is no such app. */
export async function copyRecipe(place: Place, { name, version, folder }: AppRecipe): Promise<void> {
  await access(folder).catch(() => {
    throw new StepFailure('clone', `The marketplace no longer has ${name}.`);
  });
  await copySource(place, folder, async (copy) => {
    for (const file of VERSIONED) {
      const text = await readFile(join(copy, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      if (text !== undefined) await writeFile(join(copy, file), text.replaceAll(VERSION, version));
    }
  });
}

/**
 * The copy becomes the project's own. It is made whole where only we may enter: from when the project's account can
 * change a folder, we do nothing in it by path.
 */
async function copySource(
  { folders, account }: Place,
  source: string,
  complete: (copy: string) => Promise<void> = async () => {},
): Promise<void> {
  const closed = join(folders.release, 'source');
  const copy = join(closed, 'app');
  await mkdir(closed, { mode: 0o700 });
  await cp(source, copy, { recursive: true });
  await complete(copy);
  if (account) {
    for (const entry of await readdir(copy, { recursive: true })) {
      await lchown(join(copy, entry), account.uid, account.gid);
    }
  }
  await makePrivate(copy, account);
  await rename(copy, folders.app);
  await removeTree(closed);
}
