import type { BuildConfig, BuildFile } from '@nephos/contracts';
import { androidManifest, gradleScript } from './android-files.ts';
import { androidInstructions } from './android-instructions.ts';
import { fastfile } from './fastfile.ts';
import { exportOptions, infoPlist, xcconfig } from './ios-files.ts';
import { iosInstructions } from './ios-instructions.ts';
import type { AppSettings } from './settings.ts';
import { PATHS } from './toolchain.ts';
import { workflow } from './workflow.ts';

/** The build configuration of an app, for its platforms: a function of its settings alone. */
export function generateBuildConfig(app: AppSettings): BuildConfig {
  return {
    ...(app.platform !== 'ios' && {
      android: {
        gradle: gradleScript(app),
        manifest: androidManifest(app),
        buildInstructions: androidInstructions(app),
      },
    }),
    ...(app.platform !== 'android' && {
      ios: { infoPlist: infoPlist(app), xcconfig: xcconfig(app), buildInstructions: iosInstructions(app) },
    }),
  };
}

/** Every file of a configured app: those of its build configuration, and those that build and publish with them. */
export function buildFiles(app: AppSettings, { android, ios }: BuildConfig): BuildFile[] {
  const files: BuildFile[] = [];
  const add = (platform: BuildFile['platform'], path: string, contents: string) =>
    files.push({ path, platform, contents });
  if (android) {
    add('android', PATHS.gradle, android.gradle);
    add('android', PATHS.manifest, android.manifest);
    add('android', PATHS.androidInstructions, android.buildInstructions);
  }
  if (ios) {
    add('ios', PATHS.infoPlist, ios.infoPlist);
    add('ios', PATHS.xcconfig, ios.xcconfig);
    add('ios', PATHS.iosInstructions, ios.buildInstructions);
    add('ios', PATHS.exportOptions, exportOptions(app));
  }
  add(app.platform, PATHS.fastfile, fastfile(app));
  add(app.platform, PATHS.workflow, workflow(app));
  return files;
}
