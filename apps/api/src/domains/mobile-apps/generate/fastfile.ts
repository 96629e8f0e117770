import { rubyString } from './escape.ts';
import type { AppSettings } from './settings.ts';
import { IOS_PROJECT, IOS_SCHEME, PATHS } from './toolchain.ts';

const APP_STORE_KEY = [
  'APP_STORE_CONNECT_KEY_ID',
  'APP_STORE_CONNECT_ISSUER_ID',
  'APP_STORE_CONNECT_KEY_FILE',
];

function androidLanes({ bundleId }: AppSettings): string {
  return `platform :android do
  desc 'Build the app bundle for Google Play'
  lane :build do
    gradle(task: ':app:bundle', build_type: 'Release')
  end

  desc 'Build the app bundle and upload it to the internal track'
  lane :release do
    build
    upload_to_play_store(
      package_name: ${rubyString(bundleId)},
      track: 'internal',
      json_key: ENV.fetch('PLAY_SERVICE_ACCOUNT_FILE'),
      aab: lane_context[SharedValues::GRADLE_AAB_OUTPUT_PATH],
      skip_upload_metadata: true,
      skip_upload_images: true,
      skip_upload_screenshots: true
    )
  end
end
`;
}

function iosLanes({ bundleId }: AppSettings): string {
  const [keyId, issuerId, keyFile] = APP_STORE_KEY.map(rubyString);
  return `platform :ios do
  desc 'Build and sign the app for App Store Connect'
  lane :build do
    build_app(
      project: ${rubyString(IOS_PROJECT)},
      scheme: ${rubyString(IOS_SCHEME)},
      export_options: ${rubyString(PATHS.exportOptions)},
      xcargs: '-allowProvisioningUpdates',
      output_directory: 'build/ios',
      output_name: 'App.ipa'
    )
  end

  desc 'Build the app and upload it to TestFlight'
  lane :release do
    app_store_connect_api_key(
      key_id: ENV.fetch(${keyId}),
      issuer_id: ENV.fetch(${issuerId}),
      key_filepath: ENV.fetch(${keyFile})
    )
    build
    upload_to_testflight(
      app_identifier: ${rubyString(bundleId)},
      skip_waiting_for_build_processing: true
    )
  end
end
`;
}

/** `fastlane/Fastfile`: a lane that builds and one that uploads, per platform. Secrets come by environment. */
export function fastfile(app: AppSettings): string {
  const lanes = [app.platform !== 'ios' && androidLanes(app), app.platform !== 'android' && iosLanes(app)];
  return [`default_platform(:${app.platform === 'ios' ? 'ios' : 'android'})\n`, ...lanes]
    .filter((part) => part !== false)
    .join('\n');
}
