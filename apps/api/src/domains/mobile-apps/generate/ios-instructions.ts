import { markdownText } from './escape.ts';
import { cloneCommands, commands, markdown, pushCommands } from './instructions.ts';
import type { AppSettings } from './settings.ts';
import { IOS_DEPLOYMENT_TARGET, IOS_PROJECT, IOS_SCHEME, PATHS, XCODE } from './toolchain.ts';

const SET_UP = [
  `1. The Xcode project is \`${IOS_PROJECT}\`, with a target and a shared scheme named \`${IOS_SCHEME}\`. For a new app, create it with that name in the \`ios\` folder.`,
  `2. Add \`${PATHS.xcconfig}\` to the project without a target, and select it for Debug and Release under Project → Info → Configurations.`,
  "3. In the target's build settings, delete the values that the file sets (bundle identifier, versions, team, Info.plist) so that the file's values apply. They are then no longer bold.",
  '4. `ITSAppUsesNonExemptEncryption` is `false` in `Info.plist`, which is right for apps that only use HTTPS and encryption built into the system. If yours uses more, set it to `true` and answer the export compliance questions in App Store Connect.',
].join('\n');

function team({ iosTeamId }: AppSettings): string {
  return iosTeamId
    ? `Signing is automatic for the team \`${iosTeamId}\`.`
    : `Signing is automatic. No team ID is set: add it as \`DEVELOPMENT_TEAM\` in \`${PATHS.xcconfig}\` and as \`teamID\` in \`${PATHS.exportOptions}\`.`;
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
    "In App Store Connect, create the app with this bundle ID, which can't be changed after publishing. Then upload the `.ipa` file in `build/ios` with the Transporter app.",
  ).trimEnd();
}

function github(app: AppSettings): string {
  return markdown(
    '## Build on GitHub',
    'Clone the repository and add the files:',
    cloneCommands(app),
    `Then commit and push them. From then on, \`${PATHS.workflow}\` builds every push to the branch \`${app.branch}\` on a Mac with Xcode ${XCODE}.`,
    pushCommands(app),
    'Without secrets, the workflow only compiles the app. For a signed `.ipa`, create an App Store Connect API key and add these secrets to the repository (Settings → Secrets and variables → Actions): `APP_STORE_CONNECT_KEY` (the text of the `.p8` file), `APP_STORE_CONNECT_KEY_ID`, `APP_STORE_CONNECT_ISSUER_ID`.',
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
    'The app is written to `build/ios/App.ipa`. To upload it to TestFlight, create an App Store Connect API key, set `APP_STORE_CONNECT_KEY_ID`, `APP_STORE_CONNECT_ISSUER_ID` and `APP_STORE_CONNECT_KEY_FILE` (the path of its `.p8` file), and run `fastlane ios release`.',
  ).trimEnd();
}

const BUILDS = { manual, github, local } as const;

/** How to build the app for iOS by its deployment method, as Markdown. */
export function iosInstructions(app: AppSettings): string {
  return markdown(
    `# Build ${markdownText(app.name)} for iOS`,
    `Bundle ID \`${app.bundleId}\`, version ${app.version} (build ${app.buildNumber}), for iOS ${IOS_DEPLOYMENT_TARGET} and later.`,
    '## Requirements',
    `- a Mac with Xcode ${XCODE} or later, as the App Store requires\n- membership in the Apple Developer Program, to sign and publish`,
    '## Files',
    `- \`${PATHS.infoPlist}\`: the app's information for the system\n- \`${PATHS.xcconfig}\`: bundle ID, versions and team\n- \`${PATHS.exportOptions}\`: how to export an archive for the App Store`,
    '## Set up',
    SET_UP,
    team(app),
    BUILDS[app.deploymentMethod](app),
  );
}
