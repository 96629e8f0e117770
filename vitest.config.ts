import { defineConfig } from 'vitest/config';

const POSTGRES = ['packages/db/src/testing-setup.ts'];

/** Our server code runs as production runs it: Node itself strips the types, nothing is transformed. */
const native = { environment: 'node', experimental: { viteModuleRunner: false, nodeLoader: false } } as const;

export default defineConfig({
  test: {
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
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          root: './apps/web',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...native,
          name: 'e2e',
          include: ['apps/web/e2e/**/*.test.ts', 'tools/test/**/*.test.ts'],
          globalSetup: POSTGRES,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
