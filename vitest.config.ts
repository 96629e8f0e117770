import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const POSTGRES = ['packages/db/src/testing-setup.ts'];

/** For a busy machine. A test that hangs costs it once. */
const PATIENCE_MS = 120_000;

/**
 * One file more at once than there are cores, since tests also wait. With four on two cores, all together took a tenth
 * longer than with three. (Vitest's own choice on two cores is one.)
 */
const WORKERS = availableParallelism() + 1;

/** What kills, floods or starves a server again and again, or builds images, takes minutes: a run after every change has none. */
const LONG = '**/*.long.test.ts';
const leavesLongOut = process.env.REQUIRE_TOOLS !== '1';
if (leavesLongOut) console.warn(`left out: ${LONG}, which take long (REQUIRE_TOOLS=1 runs them)`);
const exclude = leavesLongOut ? [...configDefaults.exclude, LONG] : configDefaults.exclude;

/** Our server code runs as production runs it: Node itself strips the types, nothing is transformed. */
const native = {
  environment: 'node',
  // A worker loads the server and warms it up once for all its files. What a test changes of the process, it puts back.
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Patience for a busy machine: what holds is seen as soon as it does.
  expect: { poll: { timeout: 60_000 } },
  testTimeout: PATIENCE_MS,
  // One may start Docker and import what it runs.
  hookTimeout: 2 * PATIENCE_MS,
  maxWorkers: WORKERS,
  exclude,
} as const;

/** A server or a browser on a machine that is shared may be late once. The report names what passed at the second try. */
const retry = process.env.CI ? 1 : 0;

/**
 * What takes longer than its size says, the longest first. Vitest begins with the largest files, and what takes minutes and
 * begins late ends alone.
 */
const LONGEST = [
  'apps/api/test/platform/image.long.test.ts',
  'apps/api/test/deployments/image-builds.long.test.ts',
  'apps/api/test/deployments/runtimes.long.test.ts',
  'apps/api/test/platform/systemd.long.test.ts',
  'apps/api/test/backup/container-disks.long.test.ts',
  'apps/api/test/platform/upgrade.long.test.ts',
  'apps/api/test/database-backups/backup-crashes.long.test.ts',
  'apps/api/test/deployments/engine-docker.test.ts',
  'apps/api/test/databases/database-moves-crash.long.test.ts',
  'apps/api/test/deployments/engine-builders.long.test.ts',
  'apps/api/test/git-pushes/git-pushes.long.test.ts',
  'apps/api/test/deployments/swarm.long.test.ts',
  'apps/api/test/deployments/engine-processes.long.test.ts',
  'apps/api/test/deployments/swarm-leader.long.test.ts',
  'apps/api/test/deployments/engine-failures.long.test.ts',
  'apps/api/test/deployments/engine-backups.long.test.ts',
  'apps/api/test/deployments/engine-limits.long.test.ts',
  'tools/test/contracts-package.long.test.ts',
  'tools/test/start.long.test.ts',
  'tools/test/prepare.test.ts',
].map((path) => join(import.meta.dirname, path));

const gone = LONGEST.filter((path) => !existsSync(path));
if (gone.length > 0) throw new Error(`There is no ${gone.join(', ')}: say its new name in vitest.config.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.indexOf(moduleId);
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: ['default'],
    projects: [
      {
        test: {
          ...native,
          name: 'unit',
          include: ['packages/contracts/test/**/*.test.ts', 'apps/api/src/**/*.test.ts'],
        },
      },
      {
        test: {
          ...native,
          name: 'integration',
          include: ['packages/db/test/**/*.test.ts', 'apps/api/test/**/*.test.ts'],
          globalSetup: POSTGRES,
          retry,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          root: './apps/web',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          maxWorkers: WORKERS,
          // The mock API resets all that pages share, so a worker loads React and our pages once for all its files.
          isolate: false,
          testTimeout: PATIENCE_MS,
        },
      },
      {
        test: {
          ...native,
          name: 'e2e',
          include: ['apps/web/e2e/**/*.test.ts', 'tools/test/**/*.test.ts'],
          globalSetup: POSTGRES,
          // After the others, which would keep them from their cores.
          sequence: { groupOrder: 1 },
          retry,
          testTimeout: 2 * PATIENCE_MS,
          hookTimeout: 2 * PATIENCE_MS,
        },
      },
    ],
  },
});
