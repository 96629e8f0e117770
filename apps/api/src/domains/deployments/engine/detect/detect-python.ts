import { advise } from './advise.ts';
import { procfileWords } from './command-line.ts';
import { CannotRun, type Plan } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

const MAIN_FILES = ['main.py', 'app.py'];

/** A virtual environment with requirements.txt, then the Procfile's web process or the main file. */
export function detectPython(snapshot: Snapshot, _folder: string): Plan {
  const serve = webProcess(snapshot) ?? mainFile(snapshot);
  if (!serve) {
    throw new CannotRun(
      `The repository has no Procfile with a web line, no main.py and no app.py. Python apps need one of them. ${advise('python', snapshot)}`,
    );
  }
  const label = 'pip install -r requirements.txt';
  const pip = ['python', '-m', 'pip', 'install', '--no-input', '-r', 'requirements.txt'];
  return {
    summary: 'Python',
    install: snapshot.names.has('requirements.txt') ? [{ argv: pip, in: 'app', label }] : [],
    build: [],
    serve: { kind: 'process', ...serve },
  };
}

function webProcess({ texts }: Snapshot) {
  const line = /^web:[ \t]*(.+)$/m.exec(texts.Procfile ?? '')?.[1]?.trim();
  if (!line) return undefined;
  const argv = procfileWords(line);
  if (!argv) {
    throw new CannotRun(
      'The web line of the Procfile uses shell syntax. Use a single command with arguments; $NAME inserts a variable.',
    );
  }
  return { argv, expand: true, label: line };
}

function mainFile({ names }: Snapshot) {
  const file = MAIN_FILES.find((name) => names.has(name));
  return file && { argv: ['python', file], expand: false, label: `python ${file}` };
}
