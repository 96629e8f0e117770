import { markdownText } from './escape.ts';
import { cloneCommands, commands, markdown, pushCommands } from './instructions.ts';
import type { AppSettings } from './settings.ts';
import { IOS_DEPLOYMENT_TARGET, IOS_PROJECT, IOS_SCHEME, PATHS, XCODE } from './toolchain.ts';

const SET_UP = [
  `1. In Xcode, the project is \`${IOS_PROJECT}\` with a target and a shared scheme \`${IOS_SCHEME}\`. For a new app, create it by that name in the folder \`ios\`.`,
  `2. Add \`${PATHS.xcconfig}\` to the project without a target, and choose it for Debug and Release under Project, Info, Configurations.`,
  "3. In the target's build settings, delete what the file sets (bundle identifier, versions, team, Info.plist), so that the file's values hold: they are then no longer bold.",
  '4. `ITSAppUsesNonExemptEncryption` is `false` in `Info.plist`: right for an app that encrypts only by https and the system. If yours does more, make it `true` and answer the questions on export compliance in App Store Connect.',
].join('\n');

function team({ iosTeamId }: AppSettings): string {
  return iosTeamId
    ? `Signing is automatic, for the team \`${iosTeamId}\`.`
    : `Signing is automatic. No team was given: write it into \`${PATHS.xcconfig}\` as \`DEVELOPMENT_TEAM\`, and into \`${PATHS.exportOptions}\` as \`teamID\`.`;
}

const ARCHIVE = commands(
  `xcodebuild archive -project ${IOS_PROJECT} -scheme ${IOS_SCHEME} -destination generic/platform=iOS -archivePath build/App.xcarchive -allowProvisioningUpdates`,
  `xcodebuild -exportArchive -archivePath build/App.xcarchive -exportOptionsPlist ${PATHS.exportOptions} -exportPath build/ios -allowProvisioningUpdates`,
);

function manual(): string {
  return markdown(
    '## Build',
    ARCHIVE,
    '## Publish',
    'In App Store Connect, create the app with this bundle id, which cannot change after publishing. Upload the `.ipa` in `build/ios` with the Transporter app.',
  ).trimEnd();
}

function github(app: AppSettings): string {
  return markdown(
    '## Build on GitHub',
    'Put the files into a clone of the repository:',
    cloneCommands(app),
    `then commit and push them. From then on, \`${PATHS.workflow}\` builds every push to the branch \`${app.branch}\` on a Mac with Xcode ${XCODE}.`,
    pushCommands(app),
    'Without secrets it only compiles. For a signed `.ipa`, create an App Store Connect API key and add these secrets to the repository (Settings, Secrets and variables, Actions): `APP_STORE_CONNECT_KEY` (the text of the `.p8` file), `APP_STORE_CONNECT_KEY_ID`, `APP_STORE_CONNECT_ISSUER_ID`.',
  ).trimEnd();
}

function local(): string {
  return markdown(
    '## Build and run on this Mac',
    commands(
      `xcodebuild build -project ${IOS_PROJECT} -scheme ${IOS_SCHEME} -destination 'generic/platform=iOS Simulator'`,
      `open ${IOS_PROJECT}`,
    ),
    'In Xcode, choose a simulator or a connected device and press Run.',
    '## Build a release',
    commands('fastlane ios build'),
    'The app is `build/ios/App.ipa`. `fastlane ios release` uploads it to TestFlight; it needs an App Store Connect API key: `APP_STORE_CONNECT_KEY_ID`, `APP_STORE_CONNECT_ISSUER_ID`, and `APP_STORE_CONNECT_KEY_FILE`, the path of its `.p8` file.',
  ).trimEnd();
}

const BUILDS = { manual, github, local } as const;

/** How to build the app for iOS by its deployment method, as Markdown. */
export function iosInstructions(app: AppSettings): string {
  return markdown(
    `# Build ${markdownText(app.name)} for iOS`,
    `Bundle id \`${app.bundleId}\`, version ${app.version} (build ${app.buildNumber}), for iOS ${IOS_DEPLOYMENT_TARGET} and later.`,
    '## You need',
    `- a Mac with Xcode ${XCODE} or later, which the App Store asks for\n- membership in the Apple Developer Program, to sign and publish`,
    '## Files',
    `- \`${PATHS.infoPlist}\`: what the system has to know of the app\n- \`${PATHS.xcconfig}\`: bundle id, versions, team\n- \`${PATHS.exportOptions}\`: how an archive becomes a file for the App Store`,
    '## Set up',
    SET_UP,
    team(app),
    BUILDS[app.deploymentMethod](app),
  );
}
