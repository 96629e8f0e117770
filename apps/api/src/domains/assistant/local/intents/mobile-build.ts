import { findNamed } from '../find-named.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, bullets, numbered, paragraphs, plain } from '../markdown.ts';
import { PAGE_ROWS, read } from '../read.ts';

export const mobileBuild: Intent = {
  name: 'mobile-build',
  example: 'How do I build my mobile app?',
  scopes: ['general'],
  matches: [
    ['mobile'],
    ['mobile', 'deploy'],
    ['mobile', 'project', 'deploy'],
    ['how', 'mobile'],
    ['how', 'mobile', 'project', 'deploy'],
    ['change', 'mobile'],
  ],
  async *answer(turn): Answer {
    const apps = yield* read(turn, ['mobileApps', 'list'], { limit: PAGE_ROWS });
    const app =
      findNamed(turn.asked, apps, ({ name, bundleId }) => [name, bundleId]) ??
      (apps.length === 1 ? apps[0] : undefined);
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
    if (app.buildStatus === 'draft') {
      return paragraphs(
        `${bold(app.name)} is a draft: press **Generate Build Config** in **View Config** first.`,
        steps,
        build,
      );
    }
    const { warnings } = yield* read(turn, ['mobileApps', 'files'], { id: app.id });
    return paragraphs(
      `${bold(app.name)} is configured; its files are in **View Config**.`,
      build,
      warnings?.length
        ? `What the stores would refuse:\n\n${bullets(warnings.map(({ message }) => plain(message)))}`
        : '',
    );
  },
};
