import type { MobileApp, NewMobileApp } from '@nephos/contracts';
import {
  DEFAULT_ANDROID_MIN_SDK,
  DEFAULT_ANDROID_TARGET_SDK,
  DEFAULT_APP_VERSION,
  DEFAULT_BRANCH,
  DEFAULT_BUILD_NUMBER,
  DEFAULT_DEPLOYMENT_METHOD,
  DEFAULT_MOBILE_PLATFORM,
} from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { runsOn } from './mobile-app-words.tsx';

/** A mobile app as it is typed. */
export interface MobileAppDraft {
  name: string;
  platform: MobileApp['platform'];
  bundleId: string;
  version: string;
  buildNumber: string;
  androidMinSdk: string;
  androidTargetSdk: string;
  iosTeamId: string;
  deploymentMethod: MobileApp['deploymentMethod'];
  repositoryUrl: string;
  branch: string;
}

export interface DraftFieldsProps {
  draft: Pick<Draft<MobileAppDraft>, 'values' | 'set'>;
  errors: FieldErrors;
}

export const NEW_MOBILE_APP: MobileAppDraft = {
  name: '',
  platform: DEFAULT_MOBILE_PLATFORM,
  bundleId: '',
  version: DEFAULT_APP_VERSION,
  buildNumber: String(DEFAULT_BUILD_NUMBER),
  androidMinSdk: String(DEFAULT_ANDROID_MIN_SDK),
  androidTargetSdk: String(DEFAULT_ANDROID_TARGET_SDK),
  iosTeamId: '',
  deploymentMethod: DEFAULT_DEPLOYMENT_METHOD,
  repositoryUrl: '',
  branch: DEFAULT_BRANCH,
};

/** An app's settings as they are typed. */
export function draftOf(app: MobileApp): MobileAppDraft {
  const { name, platform, bundleId, version, iosTeamId, deploymentMethod, repositoryUrl, branch } = app;
  return {
    ...{ name, platform, bundleId, version, iosTeamId, deploymentMethod, repositoryUrl, branch },
    buildNumber: String(app.buildNumber),
    androidMinSdk: String(app.androidMinSdk),
    androidTargetSdk: String(app.androidTargetSdk),
  };
}

/** Whether everything is there that the app needs: a repository and a branch only where GitHub builds it. */
export function isComplete({ name, bundleId, deploymentMethod, repositoryUrl, branch }: MobileAppDraft) {
  const required = [name, bundleId, ...(deploymentMethod === 'github' ? [repositoryUrl, branch] : [])];
  return required.every((text) => text.trim() !== '');
}

/** What is sent of a draft: fields that are not shown, whatever was typed into them before, are left as they are. */
export function inputOf(draft: MobileAppDraft): NewMobileApp {
  const { platform, deploymentMethod } = draft;
  return {
    name: draft.name,
    platform,
    bundleId: draft.bundleId,
    version: draft.version.trim(),
    buildNumber: Number(draft.buildNumber),
    ...(runsOn(platform, 'android') && {
      androidMinSdk: Number(draft.androidMinSdk),
      androidTargetSdk: Number(draft.androidTargetSdk),
    }),
    ...(runsOn(platform, 'ios') && { iosTeamId: draft.iosTeamId.trim().toUpperCase() }),
    deploymentMethod,
    ...(deploymentMethod === 'github' && {
      repositoryUrl: draft.repositoryUrl,
      branch: draft.branch.trim(),
    }),
  };
}
