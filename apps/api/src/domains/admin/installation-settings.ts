import type { InstallationChanges, InstallationSettings } from '@nephos/contracts';
import type { Earlier, Once } from '@nephos/contracts/implement';
import type { Database } from '@nephos/db';
import { type InsertObject, type Kysely, type Selectable, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { mailOf } from '../../core/env.ts';
import { Environment } from '../../core/environment.ts';
import { conflict, invalid } from '../../core/errors.ts';
import type { MailSettings, Settings } from '../../core/settings.ts';
import { type ChangeFollower, createChangeFollower } from '../../platform/change-follower.ts';
import { notify } from '../../platform/notifications.ts';
import type { Platform } from '../../platform/platform.ts';
import { checkPublicUrl, refusedPublicUrl } from './public-address.ts';

const CHANNEL = 'installation_settings_changed';
const SMTP_URL_CONTEXT = 'installation_settings.smtp_url';

type Changeable = Pick<Settings, 'signups' | 'billing' | 'mail'>;
type Row = Selectable<Database['installationSettings']>;
type Parts = Pick<Platform, 'settings' | 'secrets'>;

/** What names a setting in the environment. */
const VARIABLES = {
  publicUrl: 'PUBLIC_URL',
  signups: 'SIGNUPS',
  billing: 'BILLING',
  mail: 'SMTP_URL',
} as const;
type Named = keyof typeof VARIABLES;

/**
 * Keeps the process's settings as administrators decide them, on every replica: whoever uses one reads it from there at
 * each use. What the environment sets stays as it is.
 */
export function followSettings({
  settings,
  db,
  secrets,
  notifications,
  log,
}: Parts & Pick<Platform, 'db' | 'notifications' | 'log'>): ChangeFollower {
  const { signups, billing, mail, isSetUp } = settings;
  const without = { signups, billing, mail, nextPublicUrl: undefined, isSetUp };

  async function read(): Promise<void> {
    const row = await db.selectFrom('installationSettings').selectAll().executeTakeFirst();
    const decided = row ? decidedOf(row, { settings, secrets, log }) : {};
    const kept = Object.fromEntries(
      settings.fixed.flatMap((name) => (name === 'publicUrl' ? [] : [[name, without[name]]])),
    );
    Object.assign(settings, without, decided, kept);
  }

  return createChangeFollower({
    ...{ notifications, log, channel: CHANNEL },
    failure: 'settings could not be read; still going by the previous ones',
    readAll: read,
    // They are one row.
    readSome: read,
  });
}

/** What is used from the next start on, where it is not what is used now. */
function nextPublicUrl(settings: Settings, publicUrl: string | null): URL | undefined {
  if (settings.fixed.includes('publicUrl')) return undefined;
  const next = publicUrl === null ? settings.ownUrl : new URL(publicUrl);
  return next.href === settings.publicUrl.href ? undefined : next;
}

function decidedOf(
  row: Row,
  parts: Parts & Pick<Platform, 'log'>,
): Partial<Changeable & Pick<Settings, 'nextPublicUrl' | 'isSetUp'>> {
  const { signups, billing, smtpUrl } = row;
  return {
    nextPublicUrl: nextPublicUrl(parts.settings, row.publicUrl),
    isSetUp: row.setUpAt !== null,
    ...(signups !== null && { signups }),
    ...(billing !== null && { billing }),
    ...(smtpUrl !== null && { mail: openMail({ smtpUrl, mailFrom: row.mailFrom }, parts) }),
  };
}

function openMail(
  { smtpUrl, mailFrom }: { smtpUrl: Buffer; mailFrom: string | null },
  { settings, secrets, log }: Parts & Pick<Platform, 'log'>,
): MailSettings | undefined {
  try {
    return mailBy(settings, { smtpUrl: secrets.open(smtpUrl, SMTP_URL_CONTEXT), from: mailFrom ?? '' });
  } catch (error) {
    // A key that was lost takes mail with it, and must not keep sign-ups from being closed.
    log.error({ err: error }, 'the mail server of the settings cannot be read: mail is off');
    return undefined;
  }
}

interface NewMailServer {
  smtpUrl: string;
  from?: string | undefined;
}

/** Throws 400 for what cannot be used, in the words of the setting. */
function mailBy(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { smtpUrl, from = '' }: NewMailServer,
): MailSettings | undefined {
  const url = Environment.shape.SMTP_URL.safeParse(smtpUrl.trim());
  if (!url.success) throw refused('smtpUrl', `The address ${url.error.issues[0]?.message}.`);
  const sender = Environment.shape.MAIL_FROM.safeParse(from.trim() || undefined);
  if (!sender.success) throw refused('from', `The sender ${sender.error.issues[0]?.message}.`);
  return mailOf({ SMTP_URL: url.data, MAIL_FROM: sender.data }, publicUrl);
}

function refused(field: string, message: string) {
  return invalid(message, [{ path: `mail.${field}`, message }]);
}

/** What the server goes by now. */
export function readInstallationSettings(settings: Settings): InstallationSettings {
  const { publicUrl, nextPublicUrl, isSetUp, signups, billing, mail, fixed } = settings;
  return {
    ...{ publicUrl: publicUrl.origin, nextPublicUrl: nextPublicUrl?.origin ?? null },
    ...{ signups, billing, setUp: isSetUp, fixed: [...fixed] },
    mail: mail ? { host: mail.smtpUrl.host, from: `${mail.from.name} <${mail.from.address}>`.trim() } : null,
  };
}

/**
 * Decides settings for all replicas. A new public address is asked before there is a transaction, and used from the next
 * start on, since cookies, certificates and names of images are made by it. Throws 400 and 409 SET_BY_ENVIRONMENT.
 */
export async function changeSettings(
  { settings, secrets, following }: Parts & { following: Pick<ChangeFollower, 'load'> },
  changes: InstallationChanges,
  once: Once<UserContext>,
): Promise<InstallationSettings | Earlier<InstallationSettings>> {
  const changed = (Object.keys(VARIABLES) as Named[]).filter((name) => changes[name] !== undefined);
  const fixed = changed.find((name) => settings.fixed.includes(name));
  if (fixed) {
    const message = `${VARIABLES[fixed]} is set in the server's environment. Change it there, and restart.`;
    throw conflict('SET_BY_ENVIRONMENT', message);
  }
  const { publicUrl, setUp, signups, billing, mail } = changes;
  const address = publicUrl ? await checkPublicUrl(publicUrl, { settings, secrets }) : null;
  if (typeof address === 'string') throw refusedPublicUrl(address);
  const server = mail ? mailBy(settings, mail) : undefined;
  const decided = {
    ...(publicUrl !== undefined && { publicUrl: address?.origin ?? null }),
    ...(setUp && { setUpAt: sql<string>`now()` }),
    ...(signups !== undefined && { signups }),
    ...(billing !== undefined && { billing }),
    ...(mail !== undefined && {
      smtpUrl: mail && secrets.seal(mail.smtpUrl.trim(), SMTP_URL_CONTEXT),
      mailFrom: mail?.from?.trim() || null,
    }),
  };
  return once(async ({ db: trx, user, audit, afterCommit }) => {
    // Here at once, also where the notification is late.
    afterCommit(() => void following.load());
    const before = readInstallationSettings(settings);
    await store(trx, { ...decided, changedBy: user.id });
    await notify(trx, CHANNEL, 'all');
    const now = {
      ...settings,
      ...(publicUrl !== undefined && { nextPublicUrl: nextPublicUrl(settings, address?.origin ?? null) }),
      ...(setUp && { isSetUp: true }),
      ...(signups && { signups }),
      ...(billing !== undefined && { billing }),
    };
    const after = readInstallationSettings({ ...now, mail: mail === undefined ? settings.mail : server });
    audit.note({ subject: { name: 'Settings' }, before: only(before, changed), after: only(after, changed) });
    return after;
  });
}

/** Of the address, the one that was decided. */
function only(of: InstallationSettings, names: readonly Named[]) {
  const decided = { ...of, publicUrl: of.nextPublicUrl ?? of.publicUrl };
  return Object.fromEntries(names.map((name) => [name, decided[name]]));
}

async function store(
  trx: Kysely<Database>,
  decided: InsertObject<Database, 'installationSettings'>,
): Promise<void> {
  const set = { ...decided, changedAt: sql<string>`now()` };
  await trx
    .insertInto('installationSettings')
    .values(set)
    .onConflict((conflicting) => conflicting.column('id').doUpdateSet(set))
    .execute();
}
