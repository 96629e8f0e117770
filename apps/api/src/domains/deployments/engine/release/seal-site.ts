import { readdir } from 'node:fs/promises';
import type { HeldFolder } from '@nephos/db';
import type { Serve, SiteSource } from '../detect/plan.ts';
import { hasIndex, holdBelow } from '../detect/snapshot.ts';
import type { BuildOptions } from '../process/build-options.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { StepFailure } from '../step-failure.ts';
import { copySite, UnservableSite } from './copy-site.ts';

/** Copies the site's folder to where the project's account cannot reach it. Throws `StepFailure`. */
export async function sealSite(
  { limits }: Pick<ProcessParts, 'limits'>,
  { folders, account, signal }: BuildOptions,
  source: SiteSource,
): Promise<Serve> {
  await using output = await findOutput(source, (path) => holdBelow(folders.app, path, account));
  if (!output) {
    throw new StepFailure('build', `Build failed: no index.html found in ${source.folders.join(', ')}.`);
  }
  const bounds = { maxFiles: limits.siteFiles, maxBytes: limits.buildBytes };
  try {
    await copySite(output, { site: folders.site, account, signal, ...bounds });
  } catch (error) {
    if (!(error instanceof UnservableSite)) throw error;
    throw new StepFailure('build', `Build failed: the site cannot be served because ${error.message}.`);
  }
  const pages = (await readdir(folders.site)).filter((name) => name.endsWith('.html'));
  return { kind: 'static', singlePage: source.built && pages.length === 1 };
}

async function findOutput(
  { folders }: SiteSource,
  hold: (path: string) => Promise<HeldFolder | undefined>,
): Promise<HeldFolder | undefined> {
  for (const path of folders) {
    const folder = await hold(path);
    if (folder && (await hasIndex(folder))) return folder;
    await folder?.[Symbol.asyncDispose]();
  }
  return undefined;
}
