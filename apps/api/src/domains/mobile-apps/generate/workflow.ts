import { yamlString } from './escape.ts';
import type { AppSettings } from './settings.ts';
import { ACTIONS, IOS_PROJECT, IOS_SCHEME, JDK, PATHS, XCODE } from './toolchain.ts';

/** Every push to the branch where GitHub deploys; else only when a person starts it. */
function triggers({ deploymentMethod, branch }: AppSettings): string {
  const push = deploymentMethod === 'github' ? `  push:\n    branches: [${yamlString(branch)}]\n` : '';
  return `on:\n${push}  workflow_dispatch:\n`;
}

const ANDROID_JOB = `  android:
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps:
      - uses: ${ACTIONS.checkout}
      - uses: ${ACTIONS.setupJava}
        with:
          distribution: temurin
          java-version: "${JDK}"
          cache: gradle
      - name: Unpack the signing key
        env:
          KEYSTORE: \${{ secrets.ANDROID_KEYSTORE_BASE64 }}
        run: |
          if [ -n "$KEYSTORE" ]; then
            printf '%s' "$KEYSTORE" | base64 --decode > "$RUNNER_TEMP/release.keystore"
            echo "ANDROID_KEYSTORE_FILE=$RUNNER_TEMP/release.keystore" >> "$GITHUB_ENV"
          fi
      - name: Build the app bundle
        env:
          ANDROID_KEYSTORE_PASSWORD: \${{ secrets.ANDROID_KEYSTORE_PASSWORD }}
          ANDROID_KEY_ALIAS: \${{ secrets.ANDROID_KEY_ALIAS }}
          ANDROID_KEY_PASSWORD: \${{ secrets.ANDROID_KEY_PASSWORD }}
        run: ./gradlew :app:bundleRelease
      - uses: ${ACTIONS.uploadArtifact}
        with:
          name: android
          path: app/build/outputs/bundle/release/*.aab
          if-no-files-found: error
`;

const XCODEBUILD = `-project ${IOS_PROJECT} -scheme ${IOS_SCHEME} -destination generic/platform=iOS`;

const IOS_JOB = `  ios:
    runs-on: macos-${XCODE}
    timeout-minutes: 45
    env:
      KEY: \${{ secrets.APP_STORE_CONNECT_KEY }}
      KEY_ID: \${{ secrets.APP_STORE_CONNECT_KEY_ID }}
      ISSUER_ID: \${{ secrets.APP_STORE_CONNECT_ISSUER_ID }}
    steps:
      - uses: ${ACTIONS.checkout}
      - name: Build without signing
        if: env.KEY == ''
        run: xcodebuild build ${XCODEBUILD} CODE_SIGNING_ALLOWED=NO
      - name: Build, sign and export
        if: env.KEY != ''
        run: |
          printf '%s' "$KEY" > "$RUNNER_TEMP/key.p8"
          signing=(-allowProvisioningUpdates -authenticationKeyPath "$RUNNER_TEMP/key.p8" -authenticationKeyID "$KEY_ID" -authenticationKeyIssuerID "$ISSUER_ID")
          xcodebuild archive ${XCODEBUILD} -archivePath "$RUNNER_TEMP/App.xcarchive" "\${signing[@]}"
          xcodebuild -exportArchive -archivePath "$RUNNER_TEMP/App.xcarchive" -exportOptionsPlist ${PATHS.exportOptions} -exportPath build/ios "\${signing[@]}"
      - uses: ${ACTIONS.uploadArtifact}
        if: env.KEY != ''
        with:
          name: ios
          path: build/ios/*.ipa
          if-no-files-found: error
`;

/**
 * `.github/workflows/build.yml`. GitHub replaces `${{ … }}` wherever it stands, whatever the quotes around it: only
 * values whose grammar has no `$` are written here, and the app's name is none of them.
 */
export function workflow(app: AppSettings): string {
  return `name: ${yamlString(`Build ${app.bundleId}`)}
${triggers(app)}permissions:
  contents: read
concurrency:
  group: build-\${{ github.ref }}
  cancel-in-progress: true
jobs:
${app.platform === 'ios' ? '' : ANDROID_JOB}${app.platform === 'android' ? '' : IOS_JOB}`;
}
