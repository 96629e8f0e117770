import { cp, lchown, mkdir, readdir, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeTree } from '@nephos/db';
import { makePrivate } from '../folders.ts';
import type { BuildOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';

const TEMPLATES = resolve(import.meta.dirname, '../../../../../templates');

/**
 * Puts a copy of a template of ours in the place of `folders.app`, as the project's own. It is made whole where only we
 * may enter: from when the project's account can change a folder, we do nothing in it by path. Throws `StepFailure`
 * where there is no such template.
 */
export async function copyTemplate({ folders, account }: BuildOptions, template: string): Promise<void> {
  const known = await readdir(TEMPLATES);
  if (!known.includes(template)) {
    throw new StepFailure('clone', `The template ${template} no longer exists.`);
  }
  const closed = join(folders.release, 'template');
  const copy = join(closed, 'app');
  await mkdir(closed, { mode: 0o700 });
  await cp(join(TEMPLATES, template), copy, { recursive: true });
  if (account) {
    for (const entry of await readdir(copy, { recursive: true })) {
      await lchown(join(copy, entry), account.uid, account.gid);
    }
  }
  await makePrivate(copy, account);
  await rename(copy, folders.app);
  await removeTree(closed);
}
