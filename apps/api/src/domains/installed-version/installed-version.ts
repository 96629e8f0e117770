import { programVersion } from '../../core/program-version.ts';
import { type EngineCheck, healthy, unhealthy } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import { readReturn } from '../../upgrade/releases.ts';
import type { Part } from '../domain.ts';
import { tellRollback } from './tell-rollback.ts';

/** The version that serves, where it was installed as a service: whether a newer one was tried, and gave way. */
export function createInstalledVersion({
  settings,
  db,
  log,
}: Pick<Platform, 'settings' | 'db' | 'log'>): Part {
  const { home } = settings.installed;
  if (!home) return {};
  const tell = () => tellRollback(db, home);
  return {
    engines: () => [versionCheck(home)],
    catchUp: () => tell().catch((error) => log.error({ err: error }, 'a rolled back upgrade was not told')),
    // An upgrade ends what was told while the version that it led to serves already.
    sweeps: { rolledBackUpgrades: tell },
  };
}

function versionCheck(home: string): EngineCheck {
  return {
    ...{ id: 'version', name: 'Nephos', running: 'Installed as a service', settings: ['RELEASES'] },
    async look() {
      const left = readReturn(home);
      if (!left) return healthy(`Version ${await programVersion()} serves.`);
      return unhealthy(`${left.at.slice(0, 16).replace('T', ' ')} UTC: ${left.said}`);
    },
  };
}
