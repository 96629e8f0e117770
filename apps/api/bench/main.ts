// Prints how fast we are as ratios to baselines run beside ours; the exit code says whether every target is met.
// `npm run bench -- dns https` measures these alone.
import { loadavg } from 'node:os';
import { measureAppLogs } from './app-logs.ts';
import { measureAssistant } from './assistant.ts';
import { measureAuditedWrites, measureAuditPages } from './audit.ts';
import { measureColdStart } from './cold-start.ts';
import { type Console, startConsole } from './console.ts';
import { measureCreateDatabase } from './create-database.ts';
import { measureDeployedApp } from './deployed-app.ts';
import { measureDns, measureDnsChanges } from './dns.ts';
import { measureDownload } from './download.ts';
import { measureFileList } from './file-list.ts';
import { measureFirstLoad } from './first-load.ts';
import { measureHttps } from './https.ts';
import { measureImageToLive } from './image-to-live.ts';
import { measureLedger } from './ledger.ts';
import { measureListProjects } from './list-projects.ts';
import { measureLists } from './lists.ts';
import { measureManyMembers } from './many-members.ts';
import type { Finding } from './measure.ts';
import { measurePostgresDoor } from './postgres-door.ts';
import { measurePushToLive } from './push-to-live.ts';
import { measureRegistry } from './registry.ts';
import { measureRestore } from './restore.ts';
import { measureManyS3Files, measureS3Lists, measureS3Transfers } from './s3.ts';
import { measureSignedDns } from './signed-dns.ts';
import { measureSleepingDatabases, measureWaking } from './sleeping-databases.ts';
import { measureUpload } from './upload.ts';

type OnConsole = (console: Console) => Promise<Finding[]>;

/** Those that need nothing of their own share a console. */
const ON_ONE_CONSOLE: Record<string, OnConsole> = {
  'first-load': measureFirstLoad,
  'deployed-app': measureDeployedApp,
  'list-projects': measureListProjects,
  download: measureDownload,
  upload: measureUpload,
  'file-list': measureFileList,
  'create-database': measureCreateDatabase,
  'postgres-door': measurePostgresDoor,
  restore: measureRestore,
  waking: measureWaking,
  lists: measureLists,
  's3-lists': measureS3Lists,
  'app-logs': measureAppLogs,
  audit: measureAuditPages,
  'push-to-live': measurePushToLive,
};

const ALONE: Record<string, () => Promise<Finding[]>> = {
  'postgres-door': measurePostgresDoor,
  'sleeping-databases': measureSleepingDatabases,
  // A console of its own: what the others left in memory is not what pushing takes.
  registry: () => withConsole(measureRegistry),
  s3: () => withConsole(measureS3Transfers),
  's3-many-files': () => withConsole(measureManyS3Files),
  // The plan's projects are those that the lists made.
  'audited-writes': () => withConsole(measureAuditedWrites),
  dns: measureDns,
  'dns-changes': measureDnsChanges,
  'signed-dns': measureSignedDns,
  https: measureHttps,
  'image-to-live': measureImageToLive,
  ledger: measureLedger,
  'many-members': measureManyMembers,
  assistant: measureAssistant,
};

const COLD_START = 'cold-start';

async function withConsole<T>(work: (console: Console) => Promise<T>): Promise<T> {
  const console = await startConsole();
  try {
    return await work(console);
  } finally {
    await console.stop();
  }
}

/** With the machine's load, since who else works on it counts. */
function report(findings: Finding[]): void {
  const load = `load ${loadavg()[0]?.toFixed(1)}`;
  for (const { name, detail, met } of findings)
    process.stdout.write(`${met ? '✓' : '✗'} ${name}: ${detail} (${load})\n`);
  if (findings.some(({ met }) => !met)) process.exitCode = 1;
}

const all = [COLD_START, ...Object.keys(ON_ONE_CONSOLE), ...Object.keys(ALONE)];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}. There are ${all.join(', ')}.`);
const isWanted = ([name]: readonly [string, ...unknown[]]) => names.length === 0 || names.includes(name);

if (isWanted([COLD_START])) report(await measureColdStart());
const onOne = Object.entries(ON_ONE_CONSOLE).filter(isWanted);
if (onOne.length > 0) {
  await withConsole(async (console) => {
    for (const [, measure] of onOne) report(await measure(console));
  });
}
for (const [, measure] of Object.entries(ALONE).filter(isWanted)) report(await measure());
