import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../core/settings.ts';
import { type CallCounts, createCallCounts } from './call-counts.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createMail, type Mail } from './mail/mail.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { holdDeletions } from './object-store/hold-deletions.ts';
import { type OpenObjects, openObjects } from './object-store/open-objects.ts';
import type { OwnDatabase } from './own-database.ts';
import { createSecretsBox, loadSecretsKey, type SecretsBox } from './secrets-box.ts';

/** What all domains stand on; it lives as long as the process. */
export interface Platform extends OpenObjects {
  settings: Settings;
  log: Logger;
  db: Kysely<Database>;
  notifications: Notifications;
  jobs: Jobs;
  mail: Mail;
  secrets: SecretsBox;
  callCounts: CallCounts;
}

/** Opens what needs no domain; nothing is set going. `mailPauses` are seconds between the tries of a mail. */
export async function createPlatform(
  settings: Settings,
  log: Logger,
  { db, url }: Pick<OwnDatabase, 'db' | 'url'>,
  { mailPauses }: { mailPauses?: readonly number[] | undefined } = {},
): Promise<Platform> {
  const secrets = createSecretsBox(await loadSecretsKey(settings));
  const { objects: store, objectMove } = await openObjects(settings, { db, log });
  const objects = holdDeletions(store, db);
  const notifications = createNotifications(url, log);
  const jobs = createJobs({ url, notifications, log, sole: settings.databaseUrl === undefined });
  const mail = createMail({ settings, log, db, secrets, jobs }, mailPauses);
  const callCounts = createCallCounts({ db, settings, log });
  return { settings, log, db, notifications, jobs, mail, secrets, objects, objectMove, callCounts };
}
