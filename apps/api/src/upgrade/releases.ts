import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

/** The folder of the releases that are installed beside each other, and which of them serves. */
export interface Releases {
  folderOf(version: string): string;
  has(version: string): boolean;
  /** The version that serves, and serves again whenever the service starts. */
  current(): string;
  /** Lets the next start of the service, and no other, be of that version, and none once this process has ended. */
  putOnTrial(version: string): void;
  endTrial(): void;
  /** The version on trial that runs, or ran last; undefined where the current one was started since. */
  tried(): string | undefined;
  /** Whether the service was started again since the one start that it had, or could not be of it at all. */
  isTrialOver(version: string): boolean;
  /** Makes it the current one: every start from now on is of it, unless it ends by itself too often at first. */
  makeCurrent(version: string, probation: Probation): void;
  /** Lets the current one serve however often it ends. */
  endProbation(): void;
  /** Removes what is neither of these. */
  keepOnly(versions: readonly string[]): void;
}

/** What a new version has to stand, or the one before serves again. */
export interface Probation {
  before: string;
  seconds: number;
  /** How often systemd may have to start it again. */
  restarts: number;
  /** A line for the log and the admins. */
  said: string;
}

/** What became of a version that gave way to the one before after the upgrade to it had ended. */
export interface Return {
  said: string;
  /** An ISO instant. */
  at: string;
}

/** The return that led to the version that serves. */
export function readReturn(home: string): Return | undefined {
  const file = join(home, 'returned');
  if (!existsSync(file)) return undefined;
  // The start that leads back moves the file.
  const [, said = ''] = readFileSync(file, 'utf8').split('\n');
  return { said, at: statSync(file).ctime.toISOString() };
}

/** `home` as install.sh lays it out and `deploy/nephos` reads it. */
export function openReleases(home: string): Releases {
  const folder = join(home, 'releases');
  const trial = join(home, 'trial');
  const trying = join(home, 'trying');
  const folderOf = (version: string) => join(folder, version);
  const current = () => basename(readlinkSync(join(home, 'current')));
  const pointTo = (version: string, name: string) => {
    const link = join(home, name);
    rmSync(`${link}.new`, { force: true });
    symlinkSync(join('releases', version), `${link}.new`);
    renameSync(`${link}.new`, link);
  };
  const tried = () => (existsSync(trying) ? readFileSync(trying, 'utf8').split(' ', 1)[0] : undefined);

  return {
    folderOf,
    has: (version) => !version.startsWith('.') && existsSync(folderOf(version)),
    current,
    putOnTrial(version) {
      writeWhole(trial, `${version} ${process.pid} ${startOf(process.pid)}\n`);
    },
    endTrial: () => rmSync(trial, { force: true }),
    tried,
    // In this order: the start makes the one file the other.
    isTrialOver: (version) => !existsSync(trial) && tried() !== version,
    makeCurrent(version, { before, seconds, restarts, said }) {
      const until = Math.ceil(Date.now() / 1000) + seconds;
      writeWhole(join(home, 'newcomer'), `${until} ${restarts}\n${said}\n`);
      rmSync(join(home, 'returned'), { force: true });
      pointTo(before, 'before');
      pointTo(version, 'current');
      rmSync(trying, { force: true });
    },
    endProbation: () => rmSync(join(home, 'before'), { force: true }),
    keepOnly(versions) {
      for (const name of readdirSync(folder)) {
        if (!versions.includes(name)) rmSync(folderOf(name), { recursive: true, force: true });
      }
    },
  };
}

function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** When a process began, as proc(5) tells it: with its number, that is one process alone. */
function startOf(pid: number): string {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(') ') + 2).split(' ')[19] ?? '';
}
