import { propertyList } from './property-list.ts';
import type { AppSettings } from './settings.ts';

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
