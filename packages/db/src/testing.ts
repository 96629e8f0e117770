import { inject } from 'vitest';
import { cloneTemplate, type TestDatabase, type TestServer } from './test-server.ts';

export { migrations } from './migrations/list.ts';
export type { TestDatabase } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/**
 * A migrated, empty database of one's own: call it in `beforeAll`, `drop` it in `afterAll`. Only in the projects
 * whose `globalSetup` is `testing-setup.ts`.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return cloneTemplate(inject('testServer'));
}

/** A database without anything in it, as somebody makes one for a new installation. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return cloneTemplate({ ...inject('testServer'), template: 'template0' });
}
