import { markdownText, shellWord } from './escape.ts';
import { cloneCommands, commands, markdown, pushCommands } from './instructions.ts';
import { type AppSettings, namespaceOf } from './settings.ts';
import { ANDROID_GRADLE_PLUGIN, COMPILE_SDK, GRADLE, JDK, PATHS } from './toolchain.ts';

const BUNDLE = 'app/build/outputs/bundle/release/app-release.aab';

const SIGNING = markdown(
  '## Signing',
  'Google Play takes signed bundles only. Make an upload key once, keep it and its passwords out of the repository:',
  commands(
    'keytool -genkeypair -v -keystore ~/upload.keystore -alias upload -keyalg RSA -keysize 4096 -validity 10000',
  ),
  'The build reads these environment variables, and leaves the bundle unsigned without the first:',
  [
    '- `ANDROID_KEYSTORE_FILE`: absolute path of the keystore',
    '- `ANDROID_KEYSTORE_PASSWORD`: its password',
    '- `ANDROID_KEY_ALIAS`: `upload`',
    '- `ANDROID_KEY_PASSWORD`: the password of the key',
  ].join('\n'),
).trimEnd();

function needs({ androidTargetSdk, bundleId }: AppSettings): string {
  return [
    `- JDK ${JDK}, and Gradle ${GRADLE} or later as the project's wrapper`,
    `- Android SDK Platform ${Math.max(COMPILE_SDK, androidTargetSdk)}`,
    `- in the project's own \`build.gradle.kts\`, the Android Gradle plugin: \`plugins { id("com.android.application") version "${ANDROID_GRADLE_PLUGIN}" apply false }\``,
    `- \`include(":app")\` in \`settings.gradle.kts\`, an activity \`MainActivity\` in the package \`${namespaceOf(bundleId)}\`, and a launcher icon \`@mipmap/ic_launcher\`; a new project of Android Studio has them all`,
  ].join('\n');
}

function manual(): string {
  return markdown(
    '## Build',
    commands('./gradlew :app:bundleRelease'),
    `The bundle is \`${BUNDLE}\`.`,
    '## Publish',
    'In Google Play Console, create the app, open a release on the internal testing track and upload the bundle. The application id cannot change after that.',
  ).trimEnd();
}

function github(app: AppSettings): string {
  return markdown(
    '## Build on GitHub',
    'Put the files into a clone of the repository:',
    cloneCommands(app),
    `then commit and push them. From then on, \`${PATHS.workflow}\` builds every push to the branch \`${app.branch}\`, and its run offers the bundle for download.`,
    pushCommands(app),
    'For signed bundles, add these secrets to the repository (Settings, Secrets and variables, Actions): `ANDROID_KEYSTORE_PASSWORD`, `ANDROID_KEY_ALIAS`, `ANDROID_KEY_PASSWORD`, and as `ANDROID_KEYSTORE_BASE64` what this prints:',
    commands('base64 < ~/upload.keystore'),
  ).trimEnd();
}

function local({ bundleId }: AppSettings): string {
  return markdown(
    '## Build and run on this computer',
    'Connect a device with USB debugging, or start an emulator, then install and open the app:',
    commands(
      './gradlew :app:installDebug',
      `adb shell monkey -p ${shellWord(bundleId)} -c android.intent.category.LAUNCHER 1`,
    ),
    '## Build a release',
    commands('fastlane android build'),
    `The bundle is \`${BUNDLE}\`. \`fastlane android release\` uploads it to the internal track of Google Play; it needs \`PLAY_SERVICE_ACCOUNT_FILE\`, the path of a service account's JSON key.`,
  ).trimEnd();
}

const BUILDS = { manual, github, local } as const;

/** How to build the app for Android by its deployment method, as Markdown. */
export function androidInstructions(app: AppSettings): string {
  return markdown(
    `# Build ${markdownText(app.name)} for Android`,
    `Application id \`${app.bundleId}\`, version ${app.version} (build ${app.buildNumber}), for Android API level ${app.androidMinSdk} and later, made for ${app.androidTargetSdk}.`,
    '## You need',
    needs(app),
    '## Files',
    `- \`${PATHS.gradle}\`: the app module's build\n- \`${PATHS.manifest}\`: the app's name, icon and first screen`,
    SIGNING,
    BUILDS[app.deploymentMethod](app),
  );
}
