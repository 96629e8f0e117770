import { markdownText, shellWord } from './escape.ts';
import { cloneCommands, commands, markdown, pushCommands } from './instructions.ts';
import { type AppSettings, namespaceOf } from './settings.ts';
import { ANDROID_GRADLE_PLUGIN, COMPILE_SDK, GRADLE, JDK, PATHS } from './toolchain.ts';

const BUNDLE = 'app/build/outputs/bundle/release/app-release.aab';

const SIGNING = markdown(
  '## Signing',
  'Google Play only accepts signed bundles. Create an upload key once, and keep it and its passwords out of the repository:',
  commands(
    'keytool -genkeypair -v -keystore ~/upload.keystore -alias upload -keyalg RSA -keysize 4096 -validity 10000',
  ),
  'The build reads these environment variables. Without the first one, the bundle stays unsigned:',
  [
    '- `ANDROID_KEYSTORE_FILE`: absolute path of the keystore',
    '- `ANDROID_KEYSTORE_PASSWORD`: its password',
    '- `ANDROID_KEY_ALIAS`: `upload`',
    '- `ANDROID_KEY_PASSWORD`: the password of the key',
  ].join('\n'),
).trimEnd();

function needs({ androidTargetSdk, bundleId }: AppSettings): string {
  return [
    `- JDK ${JDK}, and a Gradle wrapper of version ${GRADLE} or later`,
    `- Android SDK Platform ${Math.max(COMPILE_SDK, androidTargetSdk)}`,
    `- the Android Gradle plugin in the project's root \`build.gradle.kts\`: \`plugins { id("com.android.application") version "${ANDROID_GRADLE_PLUGIN}" apply false }\``,
    `- \`include(":app")\` in \`settings.gradle.kts\`, an activity \`MainActivity\` in the package \`${namespaceOf(bundleId)}\`, and a launcher icon \`@mipmap/ic_launcher\`; a new Android Studio project has all of these`,
  ].join('\n');
}

function manual(): string {
  return markdown(
    '## Build',
    commands('./gradlew :app:bundleRelease'),
    `The bundle is written to \`${BUNDLE}\`.`,
    '## Publish',
    "In Google Play Console, create the app, then create a release on the internal testing track and upload the bundle. After that, the application ID can't be changed.",
  ).trimEnd();
}

function github(app: AppSettings): string {
  return markdown(
    '## Build on GitHub',
    'Clone the repository and add the files:',
    cloneCommands(app),
    `Then commit and push them. From then on, \`${PATHS.workflow}\` builds every push to the branch \`${app.branch}\`. Download the bundle from the workflow run.`,
    pushCommands(app),
    'For signed bundles, add these secrets to the repository (Settings → Secrets and variables → Actions): `ANDROID_KEYSTORE_PASSWORD`, `ANDROID_KEY_ALIAS`, `ANDROID_KEY_PASSWORD`, and `ANDROID_KEYSTORE_BASE64` with the output of this command:',
    commands('base64 < ~/upload.keystore'),
  ).trimEnd();
}

function local({ bundleId }: AppSettings): string {
  return markdown(
    '## Build and run on this computer',
    'Connect a device with USB debugging or start an emulator, then install and open the app:',
    commands(
      './gradlew :app:installDebug',
      `adb shell monkey -p ${shellWord(bundleId)} -c android.intent.category.LAUNCHER 1`,
    ),
    '## Build a release',
    commands('fastlane android build'),
    `The bundle is written to \`${BUNDLE}\`. To upload it to the internal track of Google Play, set \`PLAY_SERVICE_ACCOUNT_FILE\` to the path of a service account's JSON key and run \`fastlane android release\`.`,
  ).trimEnd();
}

const BUILDS = { manual, github, local } as const;

/** How to build the app for Android by its deployment method, as Markdown. */
export function androidInstructions(app: AppSettings): string {
  return markdown(
    `# Build ${markdownText(app.name)} for Android`,
    `Application ID \`${app.bundleId}\`, version ${app.version} (build ${app.buildNumber}), minimum API level ${app.androidMinSdk}, target API level ${app.androidTargetSdk}.`,
    '## Requirements',
    needs(app),
    '## Files',
    `- \`${PATHS.gradle}\`: the build script of the app module\n- \`${PATHS.manifest}\`: the app's name, icon and first screen`,
    SIGNING,
    BUILDS[app.deploymentMethod](app),
  );
}
