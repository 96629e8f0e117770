import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Serve, SiteSource } from '../detect/plan.ts';
import type { EngineDeps } from '../engine-deps.ts';
import { StepFailure } from '../step-failure.ts';
import type { BuildOptions } from './build-options.ts';
import { hasIndex, rootPages, sealSite, UnservableSite } from './seal-site.ts';

/** Moves the site's folder to where the project's account cannot reach it, and checks it there. */
export async function takeSite(deps: EngineDeps, options: BuildOptions, source: SiteSource): Promise<Serve> {
  const { folders, account } = options;
  const candidates = source.folders.map((name) => join(folders.app, name));
  const found: string[] = [];
  for (const candidate of candidates) if (await hasIndex(candidate)) found.push(candidate);
  const [output] = found;
  if (!output) {
    throw new StepFailure(
      'build',
      `The build step made no site: there is no index.html in ${source.folders.join(', ')}.`,
    );
  }
  await rename(output, folders.site);
  try {
    await sealSite(folders.site, { account, maxFiles: deps.limits.siteFiles });
  } catch (error) {
    if (!(error instanceof UnservableSite)) throw error;
    throw new StepFailure('build', `The site cannot be served: ${error.message}.`);
  }
  const pages = await rootPages(folders.site);
  return { kind: 'static', singlePage: source.built && pages.length === 1 };
}
