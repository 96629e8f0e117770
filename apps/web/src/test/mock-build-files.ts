import type { BuildFiles } from '@nephos/contracts';

const INSTRUCTIONS = `# Build Pocket \\*weather\\* for Android

1. Put \`app/build.gradle.kts\` into **the app module**.
2. Build it:

   \`\`\`sh
   ./gradlew :app:bundleRelease
   \`\`\`

See https://developer.android.com/build. <b>Not bold</b>
`;

/** Two files of each platform's own, one that both share, and a warning for Android. */
export const BUILD_FILES: BuildFiles = {
  files: [
    {
      path: 'app/build.gradle.kts',
      platform: 'android',
      contents: 'android {\n    namespace = "com.example.weather"\n}\n',
    },
    {
      path: 'app/src/main/AndroidManifest.xml',
      platform: 'android',
      contents: '<manifest xmlns:android="http://schemas.android.com/apk/res/android" />\n',
    },
    { path: 'docs/build-android.md', platform: 'android', contents: INSTRUCTIONS },
    { path: 'ios/Config/Info.plist', platform: 'ios', contents: '<plist version="1.0"><dict /></plist>\n' },
    { path: 'ios/Config/App.xcconfig', platform: 'ios', contents: 'MARKETING_VERSION = 1.0.0\n' },
    { path: 'fastlane/Fastfile', platform: 'both', contents: 'platform :android do\nend\n' },
  ],
  warnings: [
    {
      rule: 'google-play-target-sdk',
      platform: 'android',
      message: 'Google Play refuses uploads with a target SDK below 36. Raise it to 36.',
      source: 'https://support.google.com/googleplay/android-developer/answer/11926878',
      since: '2026-08-31',
      fix: { androidTargetSdk: 36 },
    },
  ],
};
