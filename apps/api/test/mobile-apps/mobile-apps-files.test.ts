import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { requireTool } from '../../../../tools/require-tool.ts';
import { aaptString } from './aapt-string.ts';
import { android, assertShell, assertXml, readManifests, readPlists, runFastfiles } from './file-judges.ts';
import { kotlinAssignments } from './kotlin-tokens.ts';
import { filesOf, SETTINGS, VARIANTS } from './mobile-app-settings.ts';
import { expandSettings, xcconfigSettings } from './xcconfig-settings.ts';

/** One folder per platform and method. `npm test -- apps/api/test/mobile-apps/mobile-apps-files.test.ts -u` writes them anew. */
const GOLDEN = join(import.meta.dirname, 'golden');

const { name, bundleId, branch, repositoryUrl } = SETTINGS;

/** The file at a path, of the variants that have one. */
function all(path: string): string[] {
  return VARIANTS.flatMap(({ settings }) => filesOf(settings)[path] ?? []);
}

describe('the files are those that were looked at', () => {
  test.each(VARIANTS)('of $name', async ({ name: folder, settings }) => {
    const files = filesOf(settings);
    for (const [path, contents] of Object.entries(files)) {
      await expect(contents).toMatchFileSnapshot(join(GOLDEN, folder, path));
    }
  });

  test('and no other', async () => {
    const entries = await readdir(GOLDEN, { recursive: true, withFileTypes: true });
    const kept = entries.filter((entry) => entry.isFile());
    const made = VARIANTS.flatMap(({ name: folder, settings }) =>
      Object.keys(filesOf(settings)).map((path) => join(GOLDEN, folder, path)),
    );
    for (const { parentPath, name: file } of kept) expect(made).toContain(join(parentPath, file));
  });
});

describe('Gradle gets', () => {
  test('a script in Kotlin with the values of the app', () => {
    const scripts = all('app/build.gradle.kts');
    expect(scripts).toHaveLength(6);
    for (const script of scripts) {
      expect(kotlinAssignments(script)).toMatchObject({
        namespace: 'com.example.new_.cafe',
        applicationId: bundleId,
        compileSdk: '37',
        minSdk: '26',
        targetSdk: '36',
        versionCode: '42',
        versionName: '2.10.3',
        isMinifyEnabled: 'true',
      });
    }
  });

  test('a compile SDK that is never below the target', () => {
    const gradle = filesOf({ ...SETTINGS, androidTargetSdk: 40 })['app/build.gradle.kts'] ?? '';
    expect(kotlinAssignments(gradle)).toMatchObject({ compileSdk: '40', targetSdk: '40' });
  });
});

describe('the system gets', () => {
  test.skipIf(!requireTool('xmllint'))('XML that is well-formed', async () => {
    const texts = [
      'app/src/main/AndroidManifest.xml',
      'ios/Config/Info.plist',
      'ios/ExportOptions.plist',
    ].flatMap(all);
    expect(texts).toHaveLength(18);
    await assertXml(texts);
    await expect(assertXml(['<a><b></a>'])).rejects.toThrow('xmllint');
  });

  test.skipIf(!requireTool('python3'))('a manifest with the name, and without a package', () => {
    for (const { manifest, application } of readManifests(all('app/src/main/AndroidManifest.xml'))) {
      expect(manifest).toEqual({});
      expect(aaptString(application[android('label')] ?? '')).toBe(name);
    }
  });

  test.skipIf(!requireTool('python3'))(
    'property lists that, with the xcconfig file, say who the app is',
    () => {
      const xcconfigs = all('ios/Config/App.xcconfig').map(xcconfigSettings);
      const plists = readPlists(all('ios/Config/Info.plist'));
      expect(xcconfigs).toHaveLength(6);
      for (const [i, settings] of xcconfigs.entries()) {
        expect(settings).toMatchObject({
          DEVELOPMENT_TEAM: 'ABCDE12345',
          INFOPLIST_FILE: 'Config/Info.plist',
        });
        const plist = plists[i] ?? {};
        const built = (key: string) => expandSettings(String(plist[key]), settings);
        expect(built('CFBundleIdentifier')).toBe(bundleId);
        expect(built('CFBundleShortVersionString')).toBe('2.10.3');
        expect(built('CFBundleVersion')).toBe('42');
        expect(built('CFBundleDisplayName')).toBe(name);
        expect(plist).toMatchObject({
          ITSAppUsesNonExemptEncryption: false,
          LSRequiresIPhoneOS: true,
          UILaunchScreen: {},
        });
      }
    },
  );

  test.skipIf(!requireTool('python3'))('export options with the team, where there is one', () => {
    const options = { method: 'app-store-connect', signingStyle: 'automatic', destination: 'export' };
    for (const plist of readPlists(all('ios/ExportOptions.plist'))) {
      expect(plist).toMatchObject({ ...options, teamID: 'ABCDE12345' });
    }
    const without = filesOf({ ...SETTINGS, iosTeamId: '' });
    expect(readPlists([without['ios/ExportOptions.plist'] ?? ''])[0]).not.toHaveProperty('teamID');
    expect(xcconfigSettings(without['ios/Config/App.xcconfig'] ?? '')).not.toHaveProperty('DEVELOPMENT_TEAM');
  });
});

describe('fastlane gets', () => {
  test.skipIf(!requireTool('ruby'))('lanes for the platforms of the app', () => {
    const texts = VARIANTS.map(({ settings }) => filesOf(settings)['fastlane/Fastfile'] ?? '');
    for (const [i, calls] of runFastfiles(texts).entries()) {
      const platform = VARIANTS[i]?.settings.platform;
      const lanes = calls.filter(([call]) => call === 'lane').map(([, lane]) => lane);
      const platforms = platform === 'both' ? ['android', 'ios'] : [platform];
      expect(lanes).toEqual(platforms.flatMap((each) => [`${each} build`, `${each} release`]));
      const uploads = calls.filter(([call]) => String(call).startsWith('upload_to_'));
      expect(uploads).toHaveLength(platforms.length);
      for (const [, options] of uploads) expect(Object.values(options as object)).toContain(bundleId);
    }
  });
});

describe('GitHub gets', () => {
  interface Workflow {
    on: Record<string, { branches: string[] } | null>;
    jobs: Record<string, { steps: { uses?: string; run?: string }[] }>;
  }

  const workflows = VARIANTS.map(({ settings }) => ({
    settings,
    text: filesOf(settings)['.github/workflows/build.yml'] ?? '',
  }));
  const read = (text: string): Workflow => parse(text, { strict: true, version: '1.2' });

  test('a workflow with a job per platform, which a push starts only where GitHub deploys', () => {
    for (const { settings, text } of workflows) {
      const { on, jobs } = read(text);
      const platforms = settings.platform === 'both' ? ['android', 'ios'] : [settings.platform];
      expect(Object.keys(jobs)).toEqual(platforms);
      const manual = { workflow_dispatch: null };
      expect(on).toEqual(
        settings.deploymentMethod === 'github' ? { push: { branches: [branch] }, ...manual } : manual,
      );
    }
  });

  test('actions of a known major version, and scripts that bash can parse', () => {
    const steps = workflows.flatMap(({ text }) => Object.values(read(text).jobs).flatMap((job) => job.steps));
    for (const { uses } of steps) expect(uses ?? 'actions/none@v1').toMatch(/^actions\/[a-z-]+@v\d+$/);
    assertShell('bash', [...new Set(steps.flatMap(({ run }) => run ?? []))]);
    expect(() => assertShell('bash', ['if true'])).toThrow('bash');
  });
});

describe('the instructions', () => {
  const instructions = VARIANTS.flatMap(({ settings }) => {
    const files = filesOf(settings);
    return [files['docs/build-android.md'], files['docs/build-ios.md']].flatMap((text) =>
      text === undefined ? [] : { method: settings.deploymentMethod, text },
    );
  });

  test('name the repository and its branch where GitHub deploys, and only there', () => {
    expect(instructions).toHaveLength(12);
    for (const { method, text } of instructions) {
      const clone = `git clone --branch ${branch} -- ${repositoryUrl} app`;
      expect(text.includes(clone)).toBe(method === 'github');
      expect(text.includes('on this ')).toBe(method === 'local');
      expect(text.includes('## Publish')).toBe(method === 'manual');
    }
  });

  test('have commands that a shell can parse', () => {
    const scripts = instructions.flatMap(({ text }) =>
      [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code ?? ''),
    );
    expect(scripts.length).toBeGreaterThan(12);
    assertShell('sh', [...new Set(scripts)]);
  });
});
