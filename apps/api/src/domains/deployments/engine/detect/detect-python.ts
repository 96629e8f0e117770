import type { RunSettings } from '@nephos/contracts';
import { inFolder } from './command-line.ts';
import { planOf } from './found.ts';
import { CannotRun, type Plan, type PlannedCommand, WEB } from './plan.ts';
import { isForeign, typedWeb } from './procfile.ts';
import { pythonApp } from './python-app.ts';
import { type PythonPackages, pythonPackages } from './python-packages.ts';
import type { Snapshot } from './snapshot.ts';
import { nodeWish, pythonWish } from './versions.ts';

/** A virtual environment with the packages that are listed, then the Procfile's web process or the framework's app. */
export function detectPython(snapshot: Snapshot, settings: RunSettings): Plan {
  const { folder, names, texts } = snapshot;
  const packages = pythonPackages(snapshot);
  const said = typedWeb(snapshot, settings);
  const { name, start, build, note, whyNot } = pythonApp(snapshot, packages.names);
  const isAnother = !start && packages.args.length === 0 && isForeign(snapshot, settings);
  if ((!said && !start) || isAnother) {
    throw whyNot
      ? new CannotRun(whyNot)
      : new CannotRun(
          'The repository has no Procfile with a web line, no manage.py, no main.py and no app.py. Python apps need one of them.',
          { lacks: true },
        );
  }
  const command = (argv: readonly string[], label = argv.join(' ')): PlannedCommand => ({
    argv,
    folder,
    label,
  });
  return planOf(snapshot, settings, {
    language: 'python',
    name,
    manager: packages.manager,
    install: packages.args.length > 0 ? [command(pipInstall(packages), packages.label)] : [],
    build: build && packages.names.has('django') ? [command(build)] : [],
    web: start && { name: WEB, argv: inFolder(folder, start), expand: true, label: start.join(' ') },
    notes: note && !said ? [note] : [],
    python: pythonWish(snapshot),
    node: names.has('package.json') ? nodeWish(snapshot, settings) : undefined,
    constraints: packages.constraints,
    kept: {
      packages: packages.args.length > 0 ? { kind: 'python' } : undefined,
      packagesFrom: [packages.args.join('\n'), packages.constraints, texts['requirements.txt'] ?? ''].join(
        '\n\n',
      ),
      refresh: undefined,
      caches: [],
    },
  });
}

function pipInstall({ args }: PythonPackages): string[] {
  return ['python', '-m', 'pip', 'install', '--no-input', ...args];
}
