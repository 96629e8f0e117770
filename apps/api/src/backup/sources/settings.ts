import type { Settings } from '../../core/settings.ts';
import { environmentFile } from '../../platform/environment-file.ts';
import { once } from '../repository/chunks.ts';
import type { Copying } from './copying.ts';

export const SETTINGS_PART = 'settings';
/** What is restored into the data folder, where nothing reads it but people. */
export const SETTINGS_FILE = 'settings-of-backup.env';

/** Takes the settings as a file of their own, which earlier versions of the program restore as any other. */
export async function copySettings(
  copying: Copying,
  { variables }: Pick<Settings, 'variables'>,
): Promise<void> {
  if (Object.keys(variables).length === 0) return;
  const bytes = Buffer.from(environmentFile(variables));
  await copying.part(SETTINGS_PART, async (part) => {
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const now = Date.now();
    await part.add(
      {
        ...{ kind: 'file', path: SETTINGS_FILE, mode: 0o600, ...owner },
        ...{ mtime: now, ctime: now, inode: 0, size: bytes.length, at: [] },
      },
      once(bytes),
    );
  });
}
