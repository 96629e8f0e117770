import { infoPlistString, xcconfigValue, xmlText } from './escape.ts';
import type { AppSettings } from './settings.ts';
import { IOS_DEPLOYMENT_TARGET } from './toolchain.ts';

type PropertyListValue =
  | string
  | boolean
  | readonly PropertyListValue[]
  | { readonly [key: string]: PropertyListValue };

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
`;

function isList(value: PropertyListValue): value is readonly PropertyListValue[] {
  return Array.isArray(value);
}

function linesOf(value: PropertyListValue): string[] {
  if (typeof value === 'string') return [`<string>${xmlText(value)}</string>`];
  if (typeof value === 'boolean') return [value ? '<true/>' : '<false/>'];
  if (isList(value)) return wrapped('array', value.flatMap(linesOf));
  return wrapped(
    'dict',
    Object.entries(value).flatMap(([key, inner]) => [`<key>${xmlText(key)}</key>`, ...linesOf(inner)]),
  );
}

function wrapped(tag: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`<${tag}/>`];
  return [`<${tag}>`, ...lines.map((line) => `\t${line}`), `</${tag}>`];
}

/** A property list as XML, in Apple's own layout; keys stay in their order. */
function propertyList(value: PropertyListValue): string {
  return `${HEAD}${linesOf(value).join('\n')}\n</plist>\n`;
}

const ORIENTATIONS = [
  'UIInterfaceOrientationPortrait',
  'UIInterfaceOrientationLandscapeLeft',
  'UIInterfaceOrientationLandscapeRight',
];

/**
 * `Info.plist`. What the build knows comes from build settings, which the xcconfig file makes. The scene manifest is
 * asked for by the SDK after iOS 26 (Apple TN3187); encryption beyond the system's own has to be declared by the
 * person who adds it.
 */
export function infoPlist({ name }: AppSettings): string {
  return propertyList({
    CFBundleDevelopmentRegion: '$(DEVELOPMENT_LANGUAGE)',
    CFBundleDisplayName: infoPlistString(name),
    CFBundleExecutable: '$(EXECUTABLE_NAME)',
    CFBundleIdentifier: '$(PRODUCT_BUNDLE_IDENTIFIER)',
    CFBundleInfoDictionaryVersion: '6.0',
    CFBundleName: '$(PRODUCT_NAME)',
    CFBundlePackageType: '$(PRODUCT_BUNDLE_PACKAGE_TYPE)',
    CFBundleShortVersionString: '$(MARKETING_VERSION)',
    CFBundleVersion: '$(CURRENT_PROJECT_VERSION)',
    ITSAppUsesNonExemptEncryption: false,
    LSRequiresIPhoneOS: true,
    UIApplicationSceneManifest: { UIApplicationSupportsMultipleScenes: false },
    UILaunchScreen: {},
    UISupportedInterfaceOrientations: ORIENTATIONS,
    'UISupportedInterfaceOrientations~ipad': [...ORIENTATIONS, 'UIInterfaceOrientationPortraitUpsideDown'],
  });
}

/** `ExportOptions.plist` for `xcodebuild -exportArchive`: a file for App Store Connect (`xcodebuild -help`). */
export function exportOptions({ iosTeamId }: AppSettings): string {
  return propertyList({
    destination: 'export',
    manageAppVersionAndBuildNumber: false,
    method: 'app-store-connect',
    signingStyle: 'automatic',
    stripSwiftSymbols: true,
    ...(iosTeamId && { teamID: iosTeamId }),
    uploadSymbols: true,
  });
}

function line(setting: string, value: string): string {
  return `${setting} = ${xcconfigValue(value)}`;
}

/** `App.xcconfig`: the build settings that identify the app. Paths are relative to the folder of the Xcode project. */
export function xcconfig(app: AppSettings): string {
  const team = app.iosTeamId
    ? line('DEVELOPMENT_TEAM', app.iosTeamId)
    : '// DEVELOPMENT_TEAM: your 10-character team ID, from your Apple Developer membership page.';
  return `${[
    '// Build settings of the app, for all configurations of its Xcode project.',
    line('PRODUCT_BUNDLE_IDENTIFIER', app.bundleId),
    line('MARKETING_VERSION', app.version),
    line('CURRENT_PROJECT_VERSION', String(app.buildNumber)),
    line('VERSIONING_SYSTEM', 'apple-generic'),
    '',
    line('IPHONEOS_DEPLOYMENT_TARGET', IOS_DEPLOYMENT_TARGET),
    line('TARGETED_DEVICE_FAMILY', '1,2'),
    line('GENERATE_INFOPLIST_FILE', 'NO'),
    line('INFOPLIST_FILE', 'Config/Info.plist'),
    '',
    line('CODE_SIGN_STYLE', 'Automatic'),
    team,
  ].join('\n')}\n`;
}
