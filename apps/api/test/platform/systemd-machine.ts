import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../../../../tools/process.mjs';

/**
 * Boots systemd on a copy of this machine's files, with processes, a network and control groups of its own. No unit of this
 * machine is started, and nothing of the kernel's is set.
 */
const BOOT = `set -eu
base=$1 checkout=$2 r=$1/root
mount --make-rprivate /
mount -t cgroup2 cgroup2 "$base/groups"
mkdir -p "$base/groups/$3"
echo $$ >"$base/groups/$3/cgroup.procs"
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$r"
mkdir -p "$r$checkout"
mount --bind "$checkout" "$r$checkout"
mount -t tmpfs tmpfs "$r/run"
mount -t sysfs -o ro sysfs "$r/sys"
mount -t tmpfs tmpfs "$r/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$r/dev"
for name in null zero full random urandom tty; do
  mknod -m 666 "$r/dev/$name" c "0x$(stat -c %t "/dev/$name")" "0x$(stat -c %T "/dev/$name")"
done
mkdir "$r/dev/pts" "$r/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$r/dev/pts"
mount -t tmpfs tmpfs "$r/dev/shm"
ln -s pts/ptmx "$r/dev/ptmx"
ln -s /proc/self/fd "$r/dev/fd"
rm -rf "$r/etc/systemd/system"
mkdir "$r/etc/systemd/system"
for name in sysctl modules-load tmpfiles-setup tmpfiles-clean update-utmp; do
  ln -s /dev/null "$r/etc/systemd/system/systemd-$name.service"
done
exec unshare --pid --uts --ipc --net --cgroup --fork --kill-child sh -euc '
  mount -t proc proc "$0/proc"
  mount --bind "$0/proc/sys" "$0/proc/sys"
  mount -o remount,bind,ro "$0/proc/sys"
  mount -t cgroup2 cgroup2 "$0/sys/fs/cgroup"
  ip link set lo up
  exec env -i container=lxc "PATH=$PATH" chroot "$0" /lib/systemd/systemd --system --unit=multi-user.target
' "$r"
`;
const REMOVE_GROUPS = `set -eu
mount --make-rprivate /
mount -t cgroup2 cgroup2 "$1/groups"
[ ! -d "$1/groups/$2" ] || find "$1/groups/$2" -depth -type d -exec rmdir {} +
`;

/** A machine that runs systemd. */
export interface Machine {
  /** What of its files is not this machine's. */
  files: string;
  /** Runs a program there. */
  run(...command: readonly string[]): { code: number | null; said: string };
  end(): Promise<void>;
}

/** Boots it in `base`, an empty folder, from what `lay` puts into the folder of its own files first. */
export async function bootMachine(base: string, lay: (files: string) => void): Promise<Machine> {
  const files = join(base, 'upper');
  for (const name of ['upper', 'work', 'root', 'groups']) await mkdir(join(base, name));
  lay(files);
  const group = basename(base);
  const child = spawn('unshare', ['--mount', 'sh', '-c', BOOT, 'sh', base, root, group], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const run: Machine['run'] = (...command) => {
    const args = ['--target', String(initOf(child)), '--all', '--root', '--wd', '--', ...command];
    const { status, stdout, stderr } = spawnSync('nsenter', args, { encoding: 'utf8' });
    return { code: status, said: stdout + stderr };
  };
  const machine: Machine = {
    files,
    run,
    async end() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await ended;
      await until(
        () => spawnSync('unshare', ['--mount', 'sh', '-c', REMOVE_GROUPS, 'sh', base, group]).status === 0,
      );
      await rm(base, { recursive: true, force: true });
    },
  };
  await until(() => child.exitCode !== null || run('systemctl', 'is-active', 'multi-user.target').code === 0);
  if (child.exitCode === null) return machine;
  await machine.end();
  throw new Error('The machine did not boot.');
}

/** Its processes end, or begin, some time after what they were made by. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(100);
}

/** Its first process, a child of the one that was started. */
function initOf({ pid }: ChildProcess): number {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return Number(first);
}
