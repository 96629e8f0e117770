/** The numbers and choices that the server and the console have in common. */

export * from './alert-rules.ts';
export * from './app-run-rules.ts';
export * from './image-names.ts';
export * from './permissions.ts';
export * from './plans.ts';
export * from './project-rules.ts';
export * from './references.ts';
export * from './run-defaults.ts';
export * from './ssh-address.ts';

export const TRIAL_DAYS = 14;

/** Why nothing can be installed without a subscription any more. */
export const TRIAL_ENDED =
  'Your trial has ended. Subscribe to a plan to continue installing marketplace items.';

/** Characters of what a list is searched for. */
export const SEARCH_MAX = 100;

/** What a list can be sorted by; `updated` is what was deployed or pushed last first, `size` the largest first. */
export const PROJECT_SORTS = ['newest', 'oldest', 'name', 'updated'] as const;
export const DATABASE_SORTS = ['newest', 'oldest', 'name'] as const;
export const IMAGE_SORTS = ['newest', 'oldest', 'name', 'updated', 'size'] as const;
export const FILE_SORTS = ['newest', 'oldest', 'name', 'size'] as const;
export const RECORD_SORTS = ['newest', 'oldest', 'name'] as const;
export const MOBILE_APP_SORTS = ['newest', 'oldest', 'name'] as const;

/** Largest file that can be uploaded, in bytes. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;

/** Bytes of a file that comes in parts, at most, and of its path and name together. */
export const MAX_OBJECT_BYTES = 5 * 1024 ** 4;
export const MAX_KEY_BYTES = 1024;
/** Parts of a file at most. */
export const MAX_PARTS = 10_000;
const MIB = 1024 * 1024;
const USUAL_PART_BYTES = 8 * MIB;

/** Bytes of each part but the last, of a file of `size` bytes. */
export function uploadPartSize(size: number): number {
  return Math.max(USUAL_PART_BYTES, Math.ceil(size / MAX_PARTS / MIB) * MIB);
}

/** Takes a part's bytes as they are. */
export function uploadPartPath(id: string, partNumber: number | string) {
  return `/api/storage/uploads/${id}/parts/${partNumber}` as const;
}

export const DEFAULT_FILE_PATH = '/uploads/';

export const DEFAULT_BRANCH = 'main';

export const FRAMEWORKS = ['nodejs', 'static', 'python'] as const;
export const DEFAULT_FRAMEWORK = 'nodejs';

export const DATABASE_TYPES = ['postgresql', 'mysql', 'mongodb', 'redis'] as const;

export const DEFAULT_DATABASE_TYPE = 'postgresql';
export const DATABASE_REGIONS = ['us-east-1', 'us-west-2', 'eu-west-1'] as const;
export const DEFAULT_DATABASE_REGION = 'us-east-1';
export const DATABASE_STATUSES = ['creating', 'available', 'failed'] as const;
/** What can be done with the whole of one. */
export const DATABASE_WORKS = ['restoring', 'swapping', 'importing', 'moving'] as const;
/** Days for which a database's past can be kept. */
export const MAX_KEEP_DAYS = 30;
/** What a database's own server does. */
export const DATABASE_ACTIVITIES = ['asleep', 'waking', 'awake'] as const;
/**
 * How full a database with a server of its own is: `nearly` from 95%, `full` and so read-only from 100%, `closed` to
 * connections from 110%.
 */
export const STORAGE_STATES = ['ok', 'nearly', 'full', 'closed'] as const;
/** What makes room in the storage of a plan, which backups of databases take as well; the beginning of a sentence. */
export const STORAGE_REMEDY = 'Delete files, images or databases';
export const SIZE_CLASSES = ['small', 'medium', 'large'] as const;
/** What the server of a class is set up for: MB of memory, and connections at once. */
export const CLASS_LIMITS = {
  small: { memory: 256, connections: 20 },
  medium: { memory: 1024, connections: 50 },
  large: { memory: 4096, connections: 100 },
} as const satisfies Record<(typeof SIZE_CLASSES)[number], object>;
/** Minutes for which a full one can be written again, to delete from it. */
export const FREEING_MINUTES = 30;
/** Minutes without connections after which it sleeps. */
export const MAX_SLEEP_AFTER = 24 * 60;
/** What a Redis database does when its memory is full, in the words of Redis. */
export const DATABASE_EVICTIONS = [
  'noeviction',
  'allkeys-lru',
  'allkeys-lfu',
  'volatile-lru',
  'volatile-ttl',
] as const;
/** MB. */
export const MIN_MEMORY_LIMIT = 32;
export const MAX_MEMORY_LIMIT = 4096;
/** GB. */
export const MIN_STORAGE_SIZE = 10;
export const MAX_STORAGE_SIZE = 1000;
export const DEFAULT_STORAGE_SIZE = 10;
/** What a further user of a database may do, and how many of them one may have. */
export const DATABASE_USER_ACCESSES = ['read', 'write'] as const;
export const MAX_DATABASE_USERS = 20;
/** Databases that one account may have at once. */
export const MAX_DATABASES = 20;

/** The most used first, in the order in which they are offered. */
export const RECORD_TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'CAA',
  'SRV',
  'PTR',
  'TLSA',
  'SSHFP',
  'HTTPS',
  'SVCB',
  'DS',
  'ALIAS',
] as const;
export const IMPORT_MODES = ['merge', 'replace'] as const;
export const DEFAULT_RECORD_TYPE = 'A';
/** Seconds. */
export const MIN_TTL = 60;
export const MAX_TTL = 604_800;
export const DEFAULT_TTL = 3600;
/** Domains that one account may have at once. */
export const MAX_ZONES = 100;
export const MAX_RECORDS_PER_ZONE = 2000;
/** The newest changes of an account's DNS records that are kept. */
export const MAX_DNS_CHANGES = 500;
/** Bytes of an account's history: the oldest changes go first, the newest never. */
export const MAX_DNS_HISTORY = 32 * 1024 * 1024;
/** Edits of a domain's records that are saved at once. */
export const MAX_DNS_EDITS = 500;
/** Changes that a list answers at once. */
export const MAX_DNS_CHANGES_PAGE = 60;
/** Records that a list of changes tells of each, and characters of their values. */
export const RECORDS_SHOWN_PER_CHANGE = 50;
export const VALUE_SHOWN_PER_CHANGE = 200;
/** Characters of a zone file that is imported. */
export const MAX_ZONE_FILE = 1024 * 1024;
/** Records of one name and type: with these two, the largest answer fits into a DNS message of 64 KiB. */
export const MAX_RECORDS_PER_SET = 100;
/** Bytes of the values of one name's records of one type. */
export const MAX_TEXT_PER_SET = 32 * 1024;
/** Name servers that may copy one domain. */
export const MAX_SECONDARIES = 8;
/** Where name servers answer, unless something else is said. */
export const NAME_SERVER_PORT = 53;

export const MOBILE_PLATFORMS = ['android', 'ios', 'both'] as const;
export const DEFAULT_MOBILE_PLATFORM = 'both';
export const DEPLOYMENT_METHODS = ['manual', 'github', 'local'] as const;
export const DEFAULT_DEPLOYMENT_METHOD = 'manual';
export const BUILD_STATUSES = ['draft', 'configured'] as const;
export const DEFAULT_APP_VERSION = '1.0.0';
export const DEFAULT_BUILD_NUMBER = 1;
/** The most that Google Play takes as a version code. */
export const MAX_BUILD_NUMBER = 2_100_000_000;
/** API levels. */
export const MIN_ANDROID_SDK = 16;
export const MAX_ANDROID_SDK = 40;
export const DEFAULT_ANDROID_MIN_SDK = 21;
export const DEFAULT_ANDROID_TARGET_SDK = 34;
/**
 * The lowest target SDK that Google Play takes of new apps and updates since 2026-08-31
 * (https://support.google.com/googleplay/android-developer/answer/11926878).
 */
export const PLAY_TARGET_SDK = 36;

export const DEFAULT_BANK_NAME = 'Virtual Bank';
/** Cents that one payment can move. */
export const MAX_SEND = 99_999_999_999;
/** Cents that a virtual account can hold, those on their way included. */
export const MAX_FUNDS = 9_999_999_999_999;
export const TRANSACTION_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
/** Virtual accounts that one person may have open. */
export const MAX_VIRTUAL_ACCOUNTS = 20;
/** Virtual accounts that one person may ever open: closed ones keep their numbers and payments. */
export const MAX_VIRTUAL_ACCOUNTS_EVER = 1000;
/** Lines of a statement that one search looks through, so that it ends soon in an account of any size. */
export const MAX_SEARCHED_LINES = 100_000;

/** Beneficiaries that one person may keep. */
export const MAX_BENEFICIARIES = 1000;

export const BILLING_STATUS_PATH = '/api/billing/status';

/** Asked by the landing page, which loads no client. */
export const WELCOME_PATH = '/api/auth/welcome';

/** Where Stripe reports what became of payments. */
export const STRIPE_WEBHOOK_PATH = '/api/webhooks/stripe';

export const ASSISTANT_SCOPES = ['database', 'container', 'kubernetes', 'general'] as const;
/** UTF-16 units of one question. */
export const MAX_ASSISTANT_MESSAGE = 8000;
/** Tools that the assistant may call for one question, and the seconds that it may take. */
export const MAX_TOOL_CALLS = 8;
export const MAX_TURN_SECONDS = 60;

/** A question to the assistant whose answer is streamed as `data:` lines. */
export function chatPath(sessionId: string) {
  return `/api/assistant/chat/${sessionId}` as const;
}

/** A profile picture, which the console keeps itself. */
export function picturePath(id: string) {
  return `/api/auth/pictures/${id}` as const;
}

/** Password bounds in characters. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
export const EMAIL_MAX = 254;

/** How long a link that an admin made for a new password can be used. */
export const PASSWORD_LINK_HOURS = 24;

/** For how long a person can let admins sign in as them. */
export const CONSENT_HOURS = [1, 24] as const;

/** What an owner's number or bytes of are limited, by the plan or by an admin. */
export const LIMITED = [
  'projects',
  'previews',
  'databases',
  'dnsZones',
  'virtualAccounts',
  'storage',
  'workspaces',
] as const;
export type Limited = (typeof LIMITED)[number];

/** The most that an admin can set. Storage is in bytes: a petabyte. */
export const MAX_LIMITS: Readonly<Record<Limited, number>> = {
  projects: 10_000,
  previews: 10_000,
  workspaces: 1000,
  databases: 1000,
  dnsZones: 10_000,
  virtualAccounts: MAX_VIRTUAL_ACCOUNTS_EVER,
  storage: 1024 ** 5,
};

/** Who may make an account after the first: anyone, whoever has an invitation, or nobody. */
export const SIGNUPS = ['open', 'invite', 'closed'] as const;
export type Signups = (typeof SIGNUPS)[number];

/** How long an invitation can be used. */
export const INVITATION_DAYS = 7;

/** Log kept per deployment, in bytes; past it a marker ends the log. */
export const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Milliseconds. */
export const LOGIN_REDIRECT_DELAY = 500;
export const NON_ADMIN_REDIRECT_DELAY = 1000;
export const TOOLTIP_DELAY = 700;
export const TOAST_REMOVE_DELAY = 1_000_000;

/** Pixels. */
export const MOBILE_BREAKPOINT = 768;

/** Seconds. */
export const SIDEBAR_COOKIE_MAX_AGE = 7 * 24 * 60 * 60;

/** Path of the tRPC door on the API's own origin. */
export const TRPC_PATH = '/trpc';
/** Calls that one tRPC batch may hold. */
export const MAX_BATCH = 10;

/** Types that a browser shows safely by itself: pictures without scripts, films, sounds, and text. */
const PREVIEWABLE = new Set([
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/webm',
]);

/** Whether `downloadPath(id, { inline: true })` shows a file of this type; others are always downloaded. */
export function isPreviewable(mimeType: string): boolean {
  return PREVIEWABLE.has(mimeType);
}

/** Takes the file's bytes as they are: `?fileName=&filePath=&isPublic=`, the type in `Content-Type`. */
export const UPLOAD_PATH = '/api/storage/upload';

/** Folders that one answer names at most. */
export const MAX_FOLDERS = 1000;
/** Files that move with their folder at most: it happens at once. */
export const MAX_MOVED = 10_000;

/** Files that one archive has at most. */
export const MAX_ARCHIVED = 10_000;
/** Sends files, or a folder, as one archive: `?ids=&ids=`, or `?folder=&bucketId=`. */
export const ARCHIVE_PATH = '/api/storage/archive';

/** For how long a shared link of a file is good at most: 30 days. */
export const MAX_SHARE_SECONDS = 30 * 24 * 3600;
/** The bucket that each workspace has for the console's files. */
export const UPLOADS_BUCKET = 'uploads';
/** Whether a bucket keeps what its files were before. */
export const BUCKET_VERSIONINGS = ['off', 'enabled', 'suspended'] as const;
/** What an access key of S3 clients opens: reading, or changing as well. */
export const STORAGE_KEY_ACCESSES = ['read', 'write'] as const;
/** Buckets that a workspace has at most, as S3 has it. */
export const MAX_BUCKETS = 100;
/** Rules that a bucket has at most, by age and for pages of other sites, and days that a rule waits, as S3 has them. */
export const MAX_LIFECYCLE_RULES = 1000;
export const MAX_CORS_RULES = 100;
/** A hundred years. */
export const MAX_RULE_DAYS = 36_500;
export const CORS_METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'] as const;
/** Files that one call moves, deletes or restores. */
export const MAX_FILES_AT_ONCE = 100;
/** Tags that an object has at most, as S3 has it. */
export const MAX_TAGS = 10;
/** What a bucket that is served as a web site answers with for a folder, and for what is not there. */
export const DEFAULT_SITE_INDEX = 'index.html';
export const DEFAULT_NOT_FOUND_DOCUMENT = '404.html';
/** Access keys that a workspace has at most. */
export const MAX_STORAGE_KEYS = 100;
/** The region that S3 clients are told, and sign for unless they are told another one. */
export const STORAGE_REGION = 'us-east-1';

/** Every generated file of a configured mobile app, as one zip archive. */
export function mobileAppZipPath(id: string) {
  return `/api/mobile-apps/${id}/files.zip` as const;
}

/** A Dockerfile for what a project's newest build found. */
export function projectDockerfilePath(id: string) {
  return `/api/projects/${id}/dockerfile` as const;
}

/** Where a Git host tells of pushes to a project's repository. */
export function pushHookPath(id: string) {
  return `/api/hooks/${id}` as const;
}

/** Where git pushes to a project's own repository, and fetches from it; `slug` is the project's. */
export function gitPath(slug: string) {
  return `/git/${slug}.git` as const;
}

/** Folders and files that one push hook watches. */
export const MAX_WATCHED_PATHS = 50;

/** Previews that one project may have at once, days that one may stay without a push, and lines that say of which branches. */
export const MAX_PREVIEWS = 20;
export const MAX_PREVIEW_DAYS = 90;
export const MAX_PREVIEW_BRANCHES = 20;
export const MAX_PREVIEW_DATABASES = 5;

/** Where a file's bytes are; `inline` lets the browser show what `isPreviewable`. */
export function downloadPath(id: string, { inline = false } = {}) {
  return `/api/storage/${id}/download${inline ? '?inline=1' : ''}` as const;
}

/** Where the bytes of a former version are. */
export function versionDownloadPath(id: string) {
  return `/api/storage/versions/${id}/download` as const;
}

/** A calendar month, for example `2026-11`. */
export const CALENDAR_MONTH = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;

/** A month's statement as CSV: `GET /api/payment-gateway/virtual-accounts/{id}/statement.csv?month=2026-11`. */
export function statementCsvPath(id: string, month?: string) {
  return `/api/payment-gateway/virtual-accounts/${id}/statement.csv${month ? `?month=${month}` : ''}` as const;
}

/** What that file is called. */
export function statementFileName(accountNumber: string, month: string): string {
  return `statement-${accountNumber}-${month}.csv`;
}

const DAY_SECONDS = 24 * 3600;

/** The span of metrics, the time between two of their points, and how long what they are read from is kept, in seconds. */
export const METRIC_RANGES = {
  '1h': { seconds: 3600, step: 60, kept: 7 * DAY_SECONDS },
  '24h': { seconds: DAY_SECONDS, step: 600, kept: 7 * DAY_SECONDS },
  '7d': { seconds: 7 * DAY_SECONDS, step: 3600, kept: 90 * DAY_SECONDS },
  '90d': { seconds: 90 * DAY_SECONDS, step: 12 * 3600, kept: 90 * DAY_SECONDS },
} as const;

/** Kinds of things that records of who did what are about. */
export const AUDIT_SUBJECTS = [
  ...(['person', 'installation', 'project', 'deployment', 'database', 'file', 'image', 'zone'] as const),
  ...(['mobile-app', 'variable-group', 'app', 'account', 'subscription', 'conversation', 'bucket'] as const),
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];
/** Records that a search for words looks through: the newest of those that fit in all else. */
export const AUDIT_SEARCHED = 20_000;

/** Characters of a pattern that tags are compared with. */
export const TAG_PATTERN_MAX = 128;

/** How a column is compared with a value: as text for `contains`, else as the column's type does. */
export const FILTER_OPERATORS = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'contains',
  'is null',
  'is not null',
] as const;

/** By what a database's statements are sorted, most first. */
export const STATEMENT_SORTS = ['total', 'mean', 'longest', 'calls', 'rows'] as const;
export type StatementSort = (typeof STATEMENT_SORTS)[number];
