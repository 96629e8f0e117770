import { PLAY_TARGET_SDK, type PolicyWarning } from '@nephos/contracts';
import type { AppSettings } from './generate/settings.ts';
import { XCODE } from './generate/toolchain.ts';

interface Policy extends Omit<PolicyWarning, 'message' | 'fix'> {
  /** Undefined where the app meets the rule. */
  check(app: AppSettings): string | undefined;
  /** Null where a setting would break another rule of this app, or none can meet this one. */
  fix?(app: AppSettings): PolicyWarning['fix'];
}

const PLAY_AVAILABLE = 35;
const INSTALLABLE_TARGET = 24;
const JETPACK_MIN = 24;

/** Rules of the stores and platforms that settings can miss, each with its source and the day since when it holds. */
const POLICIES: readonly Policy[] = [
  {
    rule: 'google-play-target-sdk',
    platform: 'android',
    source: 'https://support.google.com/googleplay/android-developer/answer/11926878',
    since: '2026-08-31',
    check: ({ androidTargetSdk }) =>
      androidTargetSdk < PLAY_TARGET_SDK
        ? `Google Play requires target SDK ${PLAY_TARGET_SDK} or later for new apps and updates. This app targets ${androidTargetSdk}.`
        : undefined,
    // It meets the other rules on the target as well.
    fix: () => ({ androidTargetSdk: PLAY_TARGET_SDK }),
  },
  {
    rule: 'google-play-availability',
    platform: 'android',
    source: 'https://developer.android.com/google/play/requirements/target-sdk',
    since: '2026-08-31',
    check: ({ androidTargetSdk }) =>
      androidTargetSdk < PLAY_AVAILABLE
        ? `Google Play hides apps that target an SDK below ${PLAY_AVAILABLE} from new users on newer Android versions.`
        : undefined,
  },
  {
    rule: 'android-15-installation',
    platform: 'android',
    source: 'https://developer.android.com/about/versions/15/behavior-changes-all#minimum-target-api-level',
    since: '2024-09-03',
    check: ({ androidTargetSdk }) =>
      androidTargetSdk < INSTALLABLE_TARGET
        ? `Android 15 and later won't install apps that target an SDK below ${INSTALLABLE_TARGET}.`
        : undefined,
  },
  {
    rule: 'jetpack-min-sdk',
    platform: 'android',
    source: 'https://developer.android.com/jetpack/androidx/versions/all-channel',
    since: '2026-07-01',
    check: ({ androidMinSdk }) =>
      androidMinSdk < JETPACK_MIN
        ? `New releases of many Jetpack libraries require minimum SDK ${JETPACK_MIN}. With minimum SDK ${androidMinSdk}, you have to use older releases.`
        : undefined,
    fix: ({ androidTargetSdk }) => (androidTargetSdk < JETPACK_MIN ? null : { androidMinSdk: JETPACK_MIN }),
  },
  {
    rule: 'app-store-sdk',
    platform: 'ios',
    source: 'https://developer.apple.com/news/?id=ueeok6yw',
    since: '2026-04-28',
    // The generated workflow builds with that Xcode.
    check: ({ deploymentMethod }) =>
      deploymentMethod === 'github'
        ? undefined
        : `App Store Connect only accepts apps built with Xcode ${XCODE} and the iOS ${XCODE} SDK or later.`,
  },
];

/** What the stores would refuse of this app, of the platforms that it is for. */
export function policyWarnings(app: AppSettings): PolicyWarning[] {
  return POLICIES.flatMap(({ check, fix, ...policy }) => {
    const message = app.platform === 'both' || app.platform === policy.platform ? check(app) : undefined;
    return message ? [{ ...policy, message, fix: fix?.(app) ?? null }] : [];
  });
}
