import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Plan } from '../detect/plan.ts';
import { holdBelow } from '../detect/snapshot.ts';
import { cacheFolder } from '../folders.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { runQuietly } from '../process/run-quietly.ts';
import type { RunningBuild } from '../process/running-build.ts';
import type { Runtimes } from './bring-programs.ts';

/**
 * What a build keeps for the next one of its project: installed packages, under a key of all they come of, and caches of
 * its tools. Packages are copied, so that what runs and what is built never share a file. All of it is the project's own,
 * and so is whatever copies it: nothing of ours goes by path where the project's account can write.
 */
export interface Kept {
  hasPackages(): Promise<boolean>;
  /** Puts kept packages in their place; tells whether there were any. */
  restorePackages(): Promise<boolean>;
  savePackages(): Promise<void>;
  /** Removes packages that were put in place. */
  dropPackages(): Promise<void>;
  restoreCaches(): Promise<void>;
  saveCaches(): Promise<void>;
}

/** Arguments: the workspace, the folder of kept packages, the key. */
const SAVE_NODE = `cd -- "$1" && rm -rf -- "$2" && mkdir -p -- "$2/new" &&
find . -name .git -prune -o -name node_modules -type d -prune -exec sh -c 'for d; do
mkdir -p -- "$0/\${d%/*}" && cp -a -- "$d" "$0/\${d%/*}/" && rm -rf -- "$0/$d/.cache" || exit 1
done' "$2/new" {} + && mv -- "$2/new" "$2/$3"`;
const RESTORE_NODE = 'cp -a -- "$2/$3/." "$1/"';
const DROP_NODE =
  'cd -- "$1" && find . -name .git -prune -o -name node_modules -type d -prune -exec rm -rf -- {} +';

/** Arguments: the virtual environment, the folder of kept packages, the key. It notes where the environment lay. */
const SAVE_PYTHON = `rm -rf -- "$2" && mkdir -p -- "$2" && cp -a -- "$1" "$2/new" &&
printf %s "$1" > "$2/new/place" && mv -- "$2/new" "$2/$3"`;
/** Scripts of packages name the environment's own interpreter by its path. */
const MOVE = `import os, sys
kept, new = sys.argv[1:]
old = open(os.path.join(kept, 'place'), 'rb').read()
for name in os.listdir(os.path.join(kept, 'bin')):
    source, target = os.path.join(kept, 'bin', name), os.path.join(new, 'bin', name)
    if os.path.lexists(target) or os.path.islink(source): continue
    with open(source, 'rb') as file: text = file.read()
    with open(target, 'wb') as file: file.write(text.replace(old, new.encode()))
    os.chmod(target, 0o755)
`;
const RESTORE_PYTHON = `cp -a -- "$2/$3/lib/." "$1/lib/" && "$1/bin/python" -I -c "$4" "$2/$3" "$1"`;

/** Arguments: the app, the folder of kept caches, then paths of caches. */
const RESTORE_CACHES = `cd -- "$1" && kept=$2 && shift 2 && for path; do
from="$kept/$(printf %s "$path" | tr / +)"
if [ -d "$from" ] && [ ! -e "$path" ]; then mkdir -p -- "\${path%/*}" && mv -- "$from" "$path"; fi
done`;
const SAVE_CACHES = `cd -- "$1" && kept=$2 && shift 2 && mkdir -p -- "$kept" && for path; do
to="$kept/$(printf %s "$path" | tr / +)"
if [ -d "$path" ] && [ ! -L "$path" ]; then rm -rf -- "$to" && mv -- "$path" "$to"; fi
done`;

export function keptOf(parts: ProcessParts, options: RunningBuild, plan: Plan, runtimes: Runtimes): Kept {
  const { folders, job, account } = options;
  const cache = cacheFolder(parts.root, job.projectId);
  const { packages, caches } = plan.kept;
  const key = keyOf(options, plan, runtimes);
  const place = join(cache, 'packages');
  const workspace = packages?.kind === 'node' ? join(folders.app, packages.folder) : folders.app;
  const shell = async (script: string, args: readonly string[]) =>
    (await runQuietly(parts, options, ['sh', '-c', script, 'sh', ...args])) !== undefined;
  const withCaches = async (script: string) => {
    if (caches.length > 0) await shell(script, [folders.app, join(cache, 'tools'), ...caches]);
  };
  const hasPackages = async () => {
    await using kept = packages && (await holdBelow(cache, `packages/${key}`, account));
    return kept !== undefined;
  };
  return {
    hasPackages,
    async restorePackages() {
      if (!packages || !(await hasPackages())) return false;
      return packages.kind === 'node'
        ? shell(RESTORE_NODE, [workspace, place, key])
        : shell(RESTORE_PYTHON, [folders.venv, place, key, MOVE]);
    },
    async savePackages() {
      if (!packages || (await hasPackages())) return;
      if (packages.kind === 'node') await shell(SAVE_NODE, [workspace, place, key]);
      else await shell(SAVE_PYTHON, [folders.venv, place, key]);
    },
    async dropPackages() {
      if (packages?.kind === 'node') await shell(DROP_NODE, [workspace]);
    },
    restoreCaches: () => withCaches(RESTORE_CACHES),
    saveCaches: () => withCaches(SAVE_CACHES),
  };
}

/** The same for builds whose packages would come out the same. An install may depend on the project's variables, too. */
function keyOf({ job }: RunningBuild, { kept, tools, install }: Plan, { node, python }: Runtimes): string {
  const parts = [
    kept.packagesFrom,
    process.platform,
    process.arch,
    node,
    python?.version,
    tools,
    install.map(({ argv, folder }) => [argv, folder]),
    Object.entries(job.buildVariables).sort(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
