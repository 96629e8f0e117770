import type { Generated, JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** The files that were generated, as the contract's `BuildConfig` has them. */
export interface StoredBuildConfig {
  android?: { gradle: string; manifest: string; buildInstructions: string };
  ios?: { infoPlist: string; xcconfig: string; buildInstructions: string };
}

export interface MobileAppsTable {
  id: Generated<string>;
  ownerId: string;
  name: string;
  platform: 'android' | 'ios' | 'both';
  bundleId: string;
  version: string;
  buildNumber: number;
  androidMinSdk: number;
  androidTargetSdk: number;
  /** '' when none. */
  iosTeamId: string;
  deploymentMethod: 'manual' | 'github' | 'local';
  repositoryUrl: string;
  branch: string;
  buildStatus: Generated<'draft' | 'configured'>;
  /** Null while draft. */
  buildConfig: JSONColumnType<StoredBuildConfig> | null;
  createdAt: GeneratedInstant;
}
