import { infoPlistString } from './escape.ts';
import { propertyList } from './property-list.ts';
import type { AppSettings } from './settings.ts';

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
