/**
 * The tools that the files are written for, in one place. The Android Gradle plugin with its Gradle, JDK and newest
 * API level: https://developer.android.com/build/releases/agp-9-3-0-release-notes. Xcode 26 with its oldest deployment
 * target: https://developer.apple.com/xcode/system-requirements.
 */
export const ANDROID_GRADLE_PLUGIN = '9.3.1';
export const GRADLE = '9.5.0';
export const JDK = 17;
/** API level to compile against, where the app targets none above it. */
export const COMPILE_SDK = 37;
export const XCODE = 26;
export const IOS_DEPLOYMENT_TARGET = '15.0';

/** Major versions of the actions that the workflow uses. */
export const ACTIONS = {
  checkout: 'actions/checkout@v6',
  setupJava: 'actions/setup-java@v5',
  uploadArtifact: 'actions/upload-artifact@v7',
} as const;

/** The project and its scheme in Xcode, and the folder they are in. */
export const IOS_PROJECT = 'ios/App.xcodeproj';
export const IOS_SCHEME = 'App';

/** Where each file belongs in the project. */
export const PATHS = {
  gradle: 'app/build.gradle.kts',
  manifest: 'app/src/main/AndroidManifest.xml',
  androidInstructions: 'docs/build-android.md',
  infoPlist: 'ios/Config/Info.plist',
  xcconfig: 'ios/Config/App.xcconfig',
  exportOptions: 'ios/ExportOptions.plist',
  iosInstructions: 'docs/build-ios.md',
  fastfile: 'fastlane/Fastfile',
  workflow: '.github/workflows/build.yml',
} as const;
