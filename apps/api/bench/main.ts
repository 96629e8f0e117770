// Prints how fast we are as ratios to baselines run beside ours; the exit code says whether every target is met.
import { measureAppLogs } from './app-logs.ts';
import { measureAssistant } from './assistant.ts';
import { measureColdStart } from './cold-start.ts';
import { startConsole } from './console.ts';
import { measureCreateDatabase } from './create-database.ts';
import { measureDeployedApp } from './deployed-app.ts';
import { measureDns } from './dns.ts';
import { measureDownload } from './download.ts';
import { measureFileList } from './file-list.ts';
import { measureFirstLoad } from './first-load.ts';
import { measureLedger } from './ledger.ts';
import { measureListProjects } from './list-projects.ts';
import { measureLists } from './lists.ts';
import type { Finding } from './measure.ts';
import { measureRegistry } from './registry.ts';
import { measureUpload } from './upload.ts';

function report(findings: Finding[]): void {
  for (const { name, detail, met } of findings)
    process.stdout.write(`${met ? '✓' : '✗'} ${name}: ${detail}\n`);
  if (findings.some(({ met }) => !met)) process.exitCode = 1;
}

report(await measureColdStart());
const console = await startConsole();
try {
  report(await measureFirstLoad(console));
  report(await measureDeployedApp(console));
  report(await measureListProjects(console));
  report(await measureDownload(console));
  report(await measureUpload(console));
  report(await measureFileList(console));
  report(await measureCreateDatabase(console));
  report(await measureLists(console));
  report(await measureAppLogs(console));
} finally {
  await console.stop();
}
// A console of its own: what the others left in memory is not what pushing takes.
const registry = await startConsole();
try {
  report(await measureRegistry(registry));
} finally {
  await registry.stop();
}
report(await measureDns());
report(await measureLedger());
report(await measureAssistant());
