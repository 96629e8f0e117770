import { type Preview, type PreviewSettings, previews } from '@nephos/contracts';
import { implement } from './mock-implement.ts';

export function mockPreviewSettings(changes: Partial<PreviewSettings> = {}): PreviewSettings {
  return {
    enabled: false,
    branches: ['*'],
    limit: 5,
    days: 14,
    groupId: null,
    databaseIds: [],
    previewOf: null,
    ...changes,
  };
}

export function mockPreview(changes: Partial<Preview> = {}): Preview {
  return {
    id: crypto.randomUUID(),
    ...{ branch: 'next', pullRequest: null, state: 'running', url: 'http://app-next.localhost:3000' },
    ...{ pushedAt: new Date().toISOString(), endsAt: new Date(Date.now() + 86_400_000).toISOString() },
    ...changes,
  };
}

export const previewsMock = implement(previews, {
  settings: ({ ctx }) => ctx.world.previewSettings,
  update: ({ ctx: { world }, input: { id: _, ...change } }) => Object.assign(world.previewSettings, change),
  list: ({ ctx }) => ctx.world.previews,
});
