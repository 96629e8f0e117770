/** What one kind of alert is. */
interface AlertRule {
  /** In a list, and as the subject of a message. */
  title: string;
  /** What it is about, in the settings of a channel. */
  about: string;
  /** Whether its end is told to the channels as well, not only shown: it is known, and does not come and go by itself. */
  tellsRecovery: boolean;
}

/** What people are told of, in the order in which it can be chosen. */
export const ALERT_RULES = {
  'deploy-failed': { title: 'Deployment failed', about: 'Deployments that fail', tellsRecovery: true },
  'app-crashed': { title: 'App crashed', about: 'Apps that crash', tellsRecovery: false },
  'app-out-of-memory': {
    title: 'App ran out of memory',
    about: 'Apps that run out of memory',
    tellsRecovery: false,
  },
  'cron-failed': { title: 'Cron job failed', about: 'Cron jobs that fail', tellsRecovery: false },
  'cron-missed': { title: 'Cron job missed', about: 'Cron jobs that were missed', tellsRecovery: false },
  'certificate-failed': {
    title: 'Certificate not issued',
    about: 'Certificates that are not issued or renewed',
    tellsRecovery: true,
  },
  'certificate-ending': {
    title: 'Certificate about to expire',
    about: 'Certificates with 15, 7 or 1 days left; uploaded ones with 21, 7 or 1',
    tellsRecovery: true,
  },
  'domain-lost': {
    title: 'Domain no longer leads here',
    about: 'Domains that no longer lead here, or are no longer proven',
    tellsRecovery: true,
  },
  'disk-nearly-full': {
    title: 'Disk nearly full',
    about: 'Disks that are 80% or 95% full',
    tellsRecovery: true,
  },
  'storage-nearly-full': {
    title: 'Storage nearly full',
    about: 'Storage that is 80% or 95% full',
    tellsRecovery: true,
  },
  'limit-nearly-reached': {
    title: 'Limit nearly reached',
    about: 'Projects, databases, DNS zones and accounts at 90% or 100% of the limit',
    tellsRecovery: false,
  },
  'payment-failed': { title: 'Payment failed', about: 'Payments that fail', tellsRecovery: true },
  'new-device': {
    title: 'Sign-in from a new device',
    about: 'Sign-ins from new devices',
    tellsRecovery: false,
  },
  'commit-status-refused': {
    title: 'Commit status refused',
    about: 'Git hosts that refuse commit statuses',
    tellsRecovery: true,
  },
  'database-unavailable': {
    title: 'Database unavailable',
    about: 'Databases that cannot be created or reached',
    tellsRecovery: true,
  },
  'backup-failed': {
    title: 'Database not backed up',
    about: 'Databases that cannot be backed up',
    tellsRecovery: true,
  },
  'backup-unproven': {
    title: 'Backup does not restore',
    about: 'Backups of databases whose trial restore fails',
    tellsRecovery: true,
  },
  'database-nearly-full': {
    title: 'Database nearly full',
    about: 'Databases that are 95% or 100% full',
    tellsRecovery: true,
  },
  'bytes-damaged': {
    title: 'Stored bytes damaged',
    about: 'Stored bytes of this server that are damaged or missing, for its admins',
    tellsRecovery: true,
  },
  'server-backup-failed': {
    title: 'Server not backed up',
    about: 'Backups of this server that fail, are late or lack something, for its admins',
    tellsRecovery: true,
  },
  'upgrade-rolled-back': {
    title: 'Upgrade rolled back',
    about: 'Upgrades of this server that were rolled back, for its admins',
    tellsRecovery: true,
  },
  'secondary-unreachable': {
    title: 'Secondary name server not reached',
    about: 'Secondary name servers that are not reached',
    tellsRecovery: true,
  },
} as const satisfies Record<string, AlertRule>;

export const ALERT_KINDS = Object.keys(ALERT_RULES) as [
  keyof typeof ALERT_RULES,
  ...(keyof typeof ALERT_RULES)[],
];

/** What can be chosen: a sign-in is told to the person it is of, whatever the workspace has chosen. */
export const CHOSEN_ALERT_KINDS = ALERT_KINDS.filter((kind) => kind !== 'new-device');

/** Which alerts a list shows: all, those that were not read, or those whose cause is not known to be over. */
export const ALERT_VIEWS = ['all', 'unread', 'open'] as const;

/** Days that alerts are kept, and how many of a workspace at most. */
export const ALERT_DAYS = 90;
export const MAX_ALERTS = 1000;

/** Where alerts of a workspace can be told. */
export const ALERT_CHANNEL_TYPES = ['slack', 'discord', 'teams', 'webhook'] as const;
export type AlertChannelType = (typeof ALERT_CHANNEL_TYPES)[number];

/** Channels that a workspace may have at once. */
export const MAX_ALERT_CHANNELS = 20;
/** Days that deliveries are kept, and how many of a channel at most. */
export const DELIVERY_DAYS = 30;
export const MAX_DELIVERIES = 100;

/**
 * Headers of a webhook: a delivery's id, the same whenever it is tried again; when it was sent, in seconds since 1970; and
 * the signature, `v1=` and the HMAC-SHA-256 in hex of that number, a dot and the body, by the channel's secret. Who takes
 * it compares signatures, and refuses what was sent more than so many seconds ago.
 */
export const WEBHOOK_HEADERS = {
  id: 'nephos-delivery',
  timestamp: 'nephos-timestamp',
  signature: 'nephos-signature',
} as const;
export const WEBHOOK_WINDOW = 300;
