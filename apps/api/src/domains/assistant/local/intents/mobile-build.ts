import type { MobileApp } from '@nephos/contracts';
import { findAmongAll } from '../find-named.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { block, bold, bullets, numbered, paragraphs, plain } from '../markdown.ts';
import { type Reading, read, readNewest, unlessRefused } from '../read.ts';

/** The app that is named, or the only one. */
async function* findApp(turn: LocalTurn): Reading<Pick<MobileApp, 'id' | 'name'> | undefined> {
  const newest = yield* readNewest(turn, 'mobileApps');
  const named = yield* findAmongAll<Pick<MobileApp, 'id' | 'name' | 'bundleId'>>(turn, {
    newest,
    kind: 'mobile-app',
    namesOf: ({ name, bundleId }) => [name, bundleId],
    // biome-ignore lint/correctness/useYield: its id and its name are all that is needed of it
    get: async function* (found) {
      return { ...found, bundleId: '' };
    },
  });
  return named ?? (newest.isAll && newest.rows.length === 1 ? newest.rows[0] : undefined);
}

export const mobileBuild: Intent = {
  name: 'mobile-build',
  example: 'How do I build my mobile app?',
  scopes: ['general'],
  about: ['mobile-app'],
  matches: [
    ['mobile'],
    ['mobile', 'deploy'],
    ['mobile', 'project', 'deploy'],
    ['how', 'mobile'],
    ['how', 'mobile', 'project', 'deploy'],
    ['change', 'mobile'],
  ],
  async *answer(turn): Answer {
    const app = yield* findApp(turn);
    const steps = numbered([
      '**New Mobile App** on **Mobile Apps**: name, platform and bundle id.',
      '**View Config**, then **Generate Build Config**: Gradle and manifest for Android, Info.plist and xcconfig for iOS.',
      'Download the files into your repository and build:',
    ]);
    const build = block(
      'sh',
      './gradlew bundleRelease   # Android\nxcodebuild -scheme App archive   # iOS, on a Mac',
    );
    if (!app) return paragraphs(steps, build);
    const files = yield* unlessRefused(read(turn, ['mobileApps', 'files'], { id: app.id }));
    if (!files) {
      return paragraphs(
        `${bold(app.name)} is a draft: press **Generate Build Config** in **View Config** first.`,
        steps,
        build,
      );
    }
    return paragraphs(
      `${bold(app.name)} is configured; its files are in **View Config**.`,
      build,
      files.warnings?.length
        ? `What the stores would refuse:\n\n${bullets(files.warnings.map(({ message }) => plain(message)))}`
        : '',
    );
  },
};
