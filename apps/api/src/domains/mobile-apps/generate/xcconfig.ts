import { xcconfigValue } from './escape.ts';
import type { AppSettings } from './settings.ts';
import { IOS_DEPLOYMENT_TARGET } from './toolchain.ts';

function line(setting: string, value: string): string {
  return `${setting} = ${xcconfigValue(value)}`;
}

/** `App.xcconfig`: the build settings that identify the app. Paths are relative to the folder of the Xcode project. */
export function xcconfig(app: AppSettings): string {
  const team = app.iosTeamId
    ? line('DEVELOPMENT_TEAM', app.iosTeamId)
    : '// DEVELOPMENT_TEAM: the ten characters of your team, from the membership page of your Apple developer account.';
  return `${[
    '// Build settings of the app, for every configuration of its project in Xcode.',
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
