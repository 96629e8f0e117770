import { NewMobileApp } from '@nephos/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { requireTool } from '../../../../tools/require-tool.ts';
import {
  kotlinString,
  rubyString,
  shellWord,
  xcconfigValue,
  yamlString,
} from '../../src/domains/mobile-apps/generate/escape.ts';
import { aaptString } from './aapt-string.ts';
import {
  android,
  assertXml,
  readManifests,
  readPlists,
  readRubyStrings,
  readShellWords,
  runFastfiles,
} from './file-judges.ts';
import { kotlinAssignments, kotlinTokens } from './kotlin-tokens.ts';
import { filesOf, SETTINGS } from './mobile-app-settings.ts';
import { expandSettings, xcconfigSettings } from './xcconfig-settings.ts';

const NAMES = 1000;
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) => fc.sample(arbitrary, { seed, numRuns });

/** What ends a string, a line, a comment or an element somewhere, or begins an expression. */
const BREAKOUTS = [
  ...[
    '"',
    "'",
    '`',
    '\\',
    '\\\\',
    '\\"',
    "\\'",
    '$',
    '$$',
    '$(',
    '$(id)',
    '${',
    `\${x}`,
    '$x',
    `\${{ secrets.X }}`,
  ],
  ...[
    '#{1}',
    '#{`id`}',
    '<',
    '>',
    '&',
    '&amp;',
    '&#0;',
    '<!--',
    '-->',
    ']]>',
    '<![CDATA[',
    '<?',
    '?>',
    '</string>',
  ],
  ...[
    '//',
    '/*',
    '*/',
    '#',
    '# ',
    '--',
    ';',
    '|',
    '&&',
    '!',
    '*',
    '?',
    '@',
    '@null',
    '@string/x',
    '?attr/x',
    '%s',
  ],
  ...[
    ': ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '=',
    ',',
    '~',
    '^',
    '\\n',
    '\\u0022',
    '\\u',
    '\\@',
    '+',
    '://',
    'www.',
  ],
  ...[
    '\u00a0',
    '\u0085',
    '\u009f',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\u200b',
    '\u0301',
    'é',
    '日本',
    '🚀',
    'true',
    'null',
  ],
];

const text = fc
  .array(fc.oneof(fc.constantFrom(...BREAKOUTS), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

/** Names as the contract takes them. */
const hostileName = text
  .map((name) => NewMobileApp.safeParse({ name, bundleId: 'com.example.app' }))
  .filter(({ success }) => success)
  .map(({ data }) => data?.name ?? '');

const names = sample(hostileName, NAMES);
/** Texts of more than one line, which no name is; the escaping does not rely on that. */
const paragraphs = names.slice(1, 100).map((name, i) => `${names[i]}${i % 2 ? '\r' : '\n'}${name}`);
const texts = [...names, ...paragraphs];
const files = names.map((name) => filesOf({ ...SETTINGS, name, deploymentMethod: 'github' }));
const each = (path: string) => files.map((file) => file[path] ?? '');
const titled = (title: string) => `${NAMES} hostile names (TEST_SEED=${seed}) ${title}`;

test.skipIf(!requireTool('xmllint'))(titled('leave all XML well-formed'), async () => {
  expect(new Set(names).size).toBeGreaterThan(NAMES * 0.9);
  await assertXml([...each('app/src/main/AndroidManifest.xml'), ...each('ios/Config/Info.plist')]);
});

test.skipIf(!requireTool('python3'))(titled('are the label of the Android app'), () => {
  const manifests = readManifests(each('app/src/main/AndroidManifest.xml'));
  expect(manifests.map(({ application }) => aaptString(application[android('label')] ?? ''))).toEqual(names);
  for (const { application } of manifests) expect(Object.keys(application)).toHaveLength(5);
});

test.skipIf(!requireTool('python3'))(titled('are the display name of the iOS app'), () => {
  const plists = readPlists(each('ios/Config/Info.plist'));
  expect(plists.map((plist) => expandSettings(String(plist.CFBundleDisplayName)))).toEqual(names);
  const { CFBundleDisplayName: _name, ...rest } = plists[0] ?? {};
  for (const plist of plists) expect(plist).toMatchObject(rest);
});

test(titled('stay words in the headings'), () => {
  for (const [i, name] of names.entries()) {
    const [heading = ''] = (files[i]?.['docs/build-android.md'] ?? '').split('\n');
    const [, written = ''] = /^# Build (.*) for Android$/su.exec(heading) ?? [];
    expect(written.replace(/\\([\\`*_[\]<>#|~&@$:])/g, '$1')).toBe(name);
    expect(written.replace(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[\\`*_[\]<>#|~&@$]|:\/\//);
  }
});

test(titled('change no other file'), () => {
  const plain = filesOf({ ...SETTINGS, name: 'Plain', deploymentMethod: 'github' });
  const withName = ['app/src/main/AndroidManifest.xml', 'ios/Config/Info.plist'];
  for (const [path, contents] of Object.entries(plain)) {
    if (withName.includes(path)) continue;
    const body = (document: string) =>
      path.endsWith('.md') ? document.slice(document.indexOf('\n')) : document;
    for (const file of each(path)) expect(body(file)).toBe(body(contents));
  }
});

/** c-printable of YAML 1.2, §5.1, which the parser does not insist on. */
const YAML_PRINTABLE = /^[\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

test(titled('survive each way of escaping'), () => {
  for (const name of texts) {
    expect(kotlinTokens(kotlinString(name))).toEqual([{ kind: 'string', text: name }]);
    expect(parse(yamlString(name), { strict: true })).toBe(name);
    expect(yamlString(name)).toMatch(YAML_PRINTABLE);
    expect(parse(`a: [${yamlString(name)}]\n`, { strict: true })).toEqual({ a: [name] });
    const settings = xcconfigSettings(`A = ${xcconfigValue(name)}\nB = b\n`);
    expect(settings).toEqual({ A: name.replaceAll(/[\n\r\u2028\u2029]/g, ' ').trim(), B: 'b' });
  }
  expect(readShellWords(texts.map(shellWord))).toEqual(texts);
});

test.skipIf(!requireTool('ruby'))(titled('survive as strings of Ruby'), () => {
  expect(readRubyStrings(texts.map(rubyString))).toEqual(texts);
});

const letters = 'abcXYZ019'.split('');
const part = fc.tuple(
  fc.constantFrom('a', 'Z'),
  fc.string({ unit: fc.constantFrom(...letters), maxLength: 5 }),
);
const bundleId = fc
  .array(
    fc.oneof(
      part.map((pieces) => pieces.join('')),
      fc.constantFrom('new', 'class', 'null', 'in', 'e1', 'true'),
    ),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join('.'));
const branch = fc.oneof(
  fc.constantFrom('true', 'null', '1.0', '1e3', '0x1F', '-', 'on', 'no', '2026-11-21', '00', 'a/-b', '_'),
  fc.string({ unit: fc.constantFrom(...'abN1_-./'.split('')), minLength: 1, maxLength: 12 }),
);
const host = fc.constantFrom(
  'github.com',
  "a'b.example",
  '$(id).example',
  '`id`.example',
  'a;b&c.example',
  '{a,b}*.example',
  '"x".example',
);
const repositoryUrl = fc
  .tuple(
    fc.constantFrom('https', 'file'),
    host,
    fc.string({ unit: fc.constantFrom(...'ab/~@+-._'.split('')), maxLength: 9 }),
  )
  .map(([scheme, name, path]) => `${scheme}://${name}/${path}`);

/** Every combination of values that the contract takes, and the worst of each. */
const settings = fc
  .record({ bundleId, branch, repositoryUrl, buildNumber: fc.integer({ min: 1, max: 2_100_000_000 }) })
  .map((values) => NewMobileApp.safeParse({ ...SETTINGS, ...values, deploymentMethod: 'github' }))
  .filter(({ success }) => success)
  .map(({ data }) => ({ ...SETTINGS, ...data }));

test.skipIf(!requireTool('ruby'))(
  `300 odd settings (TEST_SEED=${seed}) come out of every file as they went in`,
  () => {
    const apps = sample(settings, 300);
    const made = apps.map(filesOf);
    const fastfiles = runFastfiles(made.map((file) => file['fastlane/Fastfile'] ?? ''));
    const clones = made.map((file) =>
      /^git clone --branch (.*) -- (.*) app$/m.exec(file['docs/build-ios.md'] ?? ''),
    );
    const words = readShellWords(clones.flatMap((found) => [found?.[1] ?? '', found?.[2] ?? '']));
    for (const [i, app] of apps.entries()) {
      const file = made[i] ?? {};
      const gradle = kotlinAssignments(file['app/build.gradle.kts'] ?? '');
      expect(gradle).toMatchObject({ applicationId: app.bundleId, versionCode: String(app.buildNumber) });
      expect(gradle.namespace?.split('.')).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(new|class|null|true)$/)]),
      );
      expect(xcconfigSettings(file['ios/Config/App.xcconfig'] ?? '')).toMatchObject({
        PRODUCT_BUNDLE_IDENTIFIER: app.bundleId,
        CURRENT_PROJECT_VERSION: String(app.buildNumber),
      });
      const workflow = parse(file['.github/workflows/build.yml'] ?? '', { strict: true });
      expect(workflow).toMatchObject({
        name: `Build ${app.bundleId}`,
        on: { push: { branches: [app.branch] } },
      });
      expect(JSON.stringify(fastfiles[i])).toContain(`"app_identifier":"${app.bundleId}"`);
      expect(words.slice(2 * i, 2 * i + 2)).toEqual([app.branch, app.repositoryUrl]);
    }
  },
);
