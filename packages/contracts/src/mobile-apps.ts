import { z } from 'zod';
import {
  BUILD_STATUSES,
  DEFAULT_ANDROID_MIN_SDK,
  DEFAULT_ANDROID_TARGET_SDK,
  DEFAULT_APP_VERSION,
  DEFAULT_BRANCH,
  DEFAULT_BUILD_NUMBER,
  DEFAULT_DEPLOYMENT_METHOD,
  DEFAULT_MOBILE_PLATFORM,
  DEPLOYMENT_METHODS,
  MAX_ANDROID_SDK,
  MAX_BUILD_NUMBER,
  MIN_ANDROID_SDK,
  MOBILE_APP_SORTS,
  MOBILE_PLATFORMS,
  mobileAppZipPath,
} from './constants.ts';
import { bytes, mutation, query } from './kit.ts';
import { ById, Id, listPage, Success } from './page.ts';
import { Branch, RepositoryUrl } from './projects.ts';
import { line } from './text.ts';

export const MobilePlatform = z.enum(
  MOBILE_PLATFORMS,
  `Platform must be one of ${MOBILE_PLATFORMS.join(', ')}.`,
);
export type MobilePlatform = z.output<typeof MobilePlatform>;
export const DeploymentMethod = z.enum(
  DEPLOYMENT_METHODS,
  `Deployment method must be one of ${DEPLOYMENT_METHODS.join(', ')}.`,
);
export type DeploymentMethod = z.output<typeof DeploymentMethod>;

/** Application id of Android: Java package grammar with at least two parts (developer.android.com, "Set the application ID"). */
const ANDROID_ID = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;
/** CFBundleIdentifier: letters, digits, hyphens and periods. */
const IOS_ID = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

const SDK = `SDK level must be a whole number from ${MIN_ANDROID_SDK} to ${MAX_ANDROID_SDK}.`;
const BUILD = `Build number must be a whole number from 1 to ${MAX_BUILD_NUMBER}.`;
const SdkLevel = z.int(SDK).min(MIN_ANDROID_SDK, SDK).max(MAX_ANDROID_SDK, SDK);

/** Files for Android as `generate-config` makes them. */
export const AndroidConfig = z.object({
  /** `app/build.gradle.kts`. */
  gradle: z.string(),
  /** `app/src/main/AndroidManifest.xml`. */
  manifest: z.string(),
  buildInstructions: z.string(),
});

/** Files for iOS as `generate-config` makes them. */
export const IosConfig = z.object({
  infoPlist: z.string(),
  xcconfig: z.string(),
  buildInstructions: z.string(),
});

/** One part for each of the app's platforms; the other is absent. */
export const BuildConfig = z.object({ android: AndroidConfig.optional(), ios: IosConfig.optional() });
export type BuildConfig = z.output<typeof BuildConfig>;

/** A mobile app. */
export const MobileApp = z.object({
  id: Id,
  name: z.string(),
  platform: MobilePlatform,
  bundleId: z.string(),
  version: z.string(),
  buildNumber: z.int(),
  androidMinSdk: z.int(),
  androidTargetSdk: z.int(),
  /** '' when none. */
  iosTeamId: z.string(),
  deploymentMethod: DeploymentMethod,
  repositoryUrl: z.string(),
  branch: z.string(),
  buildStatus: z.enum(BUILD_STATUSES),
  /** Null while draft. */
  buildConfig: BuildConfig.nullable(),
  createdAt: z.iso.datetime(),
});
export type MobileApp = z.output<typeof MobileApp>;

/** What a mobile app is set to, each by itself. */
const Settings = z.object({
  name: line(100, 'Name'),
  platform: MobilePlatform,
  /** Reverse-domain; must be valid for each platform of the app. */
  bundleId: line(155, 'Bundle ID'),
  version: z.string().regex(/^\d{1,5}(\.\d{1,5}){2}$/, 'Version must be three numbers, like 1.0.0.'),
  buildNumber: z.int(BUILD).min(1, BUILD).max(MAX_BUILD_NUMBER, BUILD),
  androidMinSdk: SdkLevel,
  androidTargetSdk: SdkLevel,
  /** Ten upper-case letters and digits, or ''. */
  iosTeamId: z
    .string()
    .regex(/^([A-Z0-9]{10})?$/, 'Team ID must be 10 characters: uppercase letters and digits.'),
  deploymentMethod: DeploymentMethod,
  repositoryUrl: RepositoryUrl,
  branch: Branch,
});
type Settings = z.output<typeof Settings>;

function bundleIdProblems({ platform, bundleId }: Settings): string[] {
  const parts = bundleId.split('.');
  // The platforms' rules would blame the characters of one that only lacks a part.
  if (parts.length < 2 || parts.includes(''))
    return ['Use at least two parts separated by dots, like com.example.app.'];
  const problems: string[] = [];
  if (platform !== 'ios' && !ANDROID_ID.test(bundleId)) {
    problems.push(
      'On Android, each part must start with a letter and use only letters, digits and underscores, like com.example.app.',
    );
  }
  if (platform !== 'android' && !IOS_ID.test(bundleId))
    problems.push('On iOS, use only letters, digits and hyphens, like com.example.app.');
  return problems;
}

/** The rules that hold between settings. */
function judge(app: Settings, ctx: z.RefinementCtx): void {
  const refuse = (path: keyof Settings, message: string) =>
    ctx.addIssue({ code: 'custom', path: [path], message });
  for (const problem of bundleIdProblems(app)) refuse('bundleId', problem);
  if (app.androidTargetSdk < app.androidMinSdk) {
    refuse('androidTargetSdk', "Target SDK can't be lower than the minimum SDK.");
  }
  if (app.deploymentMethod === 'github' && app.repositoryUrl === '') {
    refuse('repositoryUrl', 'A repository URL is required to build on GitHub.');
  }
}

/** All settings of an app, as they have to fit together. */
export const MobileAppSettings = Settings.superRefine(judge);

export const NewMobileApp = Settings.extend({
  platform: MobilePlatform.default(DEFAULT_MOBILE_PLATFORM),
  version: Settings.shape.version.default(DEFAULT_APP_VERSION),
  buildNumber: Settings.shape.buildNumber.default(DEFAULT_BUILD_NUMBER),
  androidMinSdk: SdkLevel.default(DEFAULT_ANDROID_MIN_SDK),
  androidTargetSdk: SdkLevel.default(DEFAULT_ANDROID_TARGET_SDK),
  iosTeamId: Settings.shape.iosTeamId.default(''),
  deploymentMethod: DeploymentMethod.default(DEFAULT_DEPLOYMENT_METHOD),
  repositoryUrl: RepositoryUrl.default(''),
  branch: Branch.default(DEFAULT_BRANCH),
}).superRefine(judge);
export type NewMobileApp = z.input<typeof NewMobileApp>;

/** Any of the settings; what is left out stays. The app as a whole has to follow `MobileAppSettings` afterwards. */
export const MobileAppChange = Settings.partial().extend({ id: Id });
export type MobileAppChange = z.input<typeof MobileAppChange>;

/** One file to copy or download. */
export const BuildFile = z.object({
  /** In the project, for example `fastlane/Fastfile`. */
  path: z.string(),
  platform: z.enum(['android', 'ios', 'both']),
  contents: z.string(),
});
export type BuildFile = z.output<typeof BuildFile>;

/** A store's rule that the app's settings do not meet; it never blocks. */
export const PolicyWarning = z.object({
  /** For example `google-play-target-sdk`. */
  rule: z.string(),
  platform: z.enum(['android', 'ios']),
  /** What is asked, and what to change. */
  message: z.string(),
  /** The store's own page. */
  source: z.url(),
  /** Since when the rule holds. */
  since: z.iso.date(),
  /** A setting that meets the rule, to be changed as it is; null where the settings have none. */
  fix: z.object({ androidMinSdk: SdkLevel, androidTargetSdk: SdkLevel }).partial().nullable(),
});
export type PolicyWarning = z.output<typeof PolicyWarning>;

export const BuildFiles = z.object({ files: z.array(BuildFile), warnings: z.array(PolicyWarning) });
export type BuildFiles = z.output<typeof BuildFiles>;

export const MobileAppPage = listPage(MOBILE_APP_SORTS).optional();

export const mobileApps = {
  list: query({
    summary: 'Your mobile apps, newest first; searched by name, bundle ID, version and repository',
    route: 'GET /api/mobile-apps',
    forAssistant: true,
    withheld: ['buildConfig'],
    input: MobileAppPage,
    output: z.array(MobileApp),
  }),
  create: mutation({
    summary: 'Create a mobile app as a draft, without a build configuration',
    route: 'POST /api/mobile-apps',
    status: 201,
    perMinute: 20,
    input: NewMobileApp,
    output: MobileApp,
  }),
  update: mutation({
    summary: 'Edit a mobile app; an existing build configuration is regenerated from the new settings',
    route: 'PATCH /api/mobile-apps/{id}',
    perMinute: 60,
    input: MobileAppChange,
    output: MobileApp,
  }),
  generateConfig: mutation({
    summary: 'Generate the build configuration; the same settings always produce the same files',
    route: 'POST /api/mobile-apps/{id}/generate-config',
    perMinute: 20,
    input: ById,
    output: MobileApp,
  }),
  files: query({
    summary:
      'All generated files of a configured app, with store policy warnings; 409 NOT_CONFIGURED for a draft',
    route: 'GET /api/mobile-apps/{id}/files',
    forAssistant: true,
    input: ById,
    output: BuildFiles,
  }),
  filesZip: bytes({
    summary: 'All generated files of a configured app, as a zip archive',
    route: `GET ${mobileAppZipPath('{id}')}`,
    perMinute: 60,
    input: ById,
    gives: { type: 'application/zip', what: 'The archive' },
    refusals: { 409: 'The app has no build configuration yet' },
  }),
  remove: mutation({
    summary: 'Delete a mobile app and its build configuration',
    route: 'DELETE /api/mobile-apps/{id}',
    perMinute: 60,
    input: ById,
    output: Success,
  }),
};
