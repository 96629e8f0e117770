import { posix } from 'node:path';
import type { RunSettings } from '@nephos/contracts';
import { type Account, readPlainFile } from '@nephos/db';
import { holdBelow } from '../../detect/snapshot.ts';
import { StepFailure } from '../../step-failure.ts';

const DEFAULT = 'Dockerfile';
/** Bytes; longer ones were not written by a person. */
const MAX_DOCKERFILE = 512 * 1024;

/** A Dockerfile of the repository, as it was read. */
export interface RepositoryDockerfile {
  /** Below the project's folder. */
  path: string;
  text: string;
  /** What the build does not see, where a file beside the Dockerfile says so; undefined: the .dockerignore counts. */
  ignored: string | undefined;
}

/**
 * The Dockerfile that a project is to be built by; undefined where the framework says how. It is read by descriptors, so
 * that no link leads to what only we may read. Throws `StepFailure` where the settings demand one that is not there.
 */
export async function findDockerfile(
  root: string,
  { rootDirectory, builder, dockerfile }: Pick<RunSettings, 'rootDirectory' | 'builder' | 'dockerfile'>,
  account: Account | undefined,
): Promise<RepositoryDockerfile | undefined> {
  if (builder === 'framework') return undefined;
  const path = dockerfile || DEFAULT;
  const folder = posix.join(rootDirectory || '.', posix.dirname(path));
  await using held = await holdBelow(root, folder, account);
  const name = posix.basename(path);
  const text = held && (await readPlainFile(held.at(name), account, MAX_DOCKERFILE));
  if (text !== undefined) {
    return {
      path,
      text,
      ignored: await readPlainFile(held?.at(`${name}.dockerignore`) ?? '', account, MAX_DOCKERFILE),
    };
  }
  if (builder === 'auto' && dockerfile === '') return undefined;
  const place = rootDirectory ? ` in ${rootDirectory}` : '';
  throw new StepFailure(
    'detect',
    `The repository has no file ${path}${place}. Builds need a plain file there, not a link.`,
  );
}
