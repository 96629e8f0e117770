import { cp, lchown, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BuildOptions } from '../build/build-options.ts';
import { StepFailure } from '../step-failure.ts';

const TEMPLATES = resolve(import.meta.dirname, '../../../../../templates');

/** Copies a template of ours into `folders.app`, as the project's own. Throws `StepFailure` where there is none. */
export async function copyTemplate({ folders, account }: BuildOptions, template: string): Promise<void> {
  const known = await readdir(TEMPLATES);
  if (!known.includes(template)) {
    throw new StepFailure('clone', `This server has no template ${template} any more.`);
  }
  await cp(join(TEMPLATES, template), folders.app, { recursive: true });
  if (!account) return;
  for (const entry of await readdir(folders.app, { recursive: true })) {
    await lchown(join(folders.app, entry), account.uid, account.gid);
  }
}
