import { DEPLOYMENT_METHODS, MOBILE_PLATFORMS } from '@nephos/contracts';
import { buildFiles, generateBuildConfig } from '../../src/domains/mobile-apps/generate/build-config.ts';
import type { AppSettings } from '../../src/domains/mobile-apps/generate/settings.ts';

/** An app with something to escape in its name, and no default among its values. */
export const SETTINGS: AppSettings = {
  name: `Ada's "Café" <1> & \${more}`,
  platform: 'both',
  bundleId: 'com.example.new.cafe',
  version: '2.10.3',
  buildNumber: 42,
  androidMinSdk: 26,
  androidTargetSdk: 36,
  iosTeamId: 'ABCDE12345',
  deploymentMethod: 'manual',
  repositoryUrl: 'https://github.com/example/cafe.git',
  branch: 'release/2.x',
};

/** That app for every platform and method. */
export const VARIANTS = MOBILE_PLATFORMS.flatMap((platform) =>
  DEPLOYMENT_METHODS.map((deploymentMethod) => ({
    name: `${platform}-${deploymentMethod}`,
    settings: { ...SETTINGS, platform, deploymentMethod },
  })),
);

/** Its files, by path. */
export function filesOf(settings: AppSettings): Record<string, string> {
  const files = buildFiles(settings, generateBuildConfig(settings));
  return Object.fromEntries(files.map(({ path, contents }) => [path, contents]));
}
