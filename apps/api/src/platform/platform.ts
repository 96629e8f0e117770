import { join } from 'node:path';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../core/env.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createMail, type Mail } from './mail/mail.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { openDiskStore } from './object-store/disk-store.ts';
import type { ObjectStore } from './object-store/object-store.ts';
import type { OwnDatabase } from './own-database.ts';
import { createSecretsBox, loadSecretsKey, type SecretsBox } from './secrets-box.ts';

/** What all domains stand on; it lives as long as the process. */
export interface Platform {
  settings: Settings;
  log: Logger;
  db: Kysely<Database>;
  notifications: Notifications;
  jobs: Jobs;
  mail: Mail;
  secrets: SecretsBox;
  objects: ObjectStore;
}

/** Opens what needs no domain; nothing is set going. `mailPauses` are seconds between the tries of a mail. */
export async function createPlatform(
  settings: Settings,
  log: Logger,
  { db, url }: Pick<OwnDatabase, 'db' | 'url'>,
  { mailPauses }: { mailPauses?: readonly number[] | undefined } = {},
): Promise<Platform> {
  const secrets = createSecretsBox(await loadSecretsKey(settings));
  const objects = await openDiskStore(join(settings.dataDir, 'objects'));
  const notifications = createNotifications(url, log);
  const jobs = createJobs({ url, notifications, log, sole: settings.databaseUrl === undefined });
  const mail = createMail({ settings, log, db, secrets, jobs }, mailPauses);
  return { settings, log, db, notifications, jobs, mail, secrets, objects };
}
