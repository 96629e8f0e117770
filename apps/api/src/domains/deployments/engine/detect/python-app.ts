import { CannotRun } from './plan.ts';
import { djangoSettingsModule, type Snapshot } from './snapshot.ts';

/** A framework of Python's world and how its app is started where nothing says so. */
export interface PythonApp {
  name: string;
  /** Words with `$HOST` and `$PORT`; undefined where nothing was found to start. */
  start: readonly string[] | undefined;
  build?: readonly string[];
  note?: string;
  whyNot?: string;
}

const DEVELOPMENT = (server: string) =>
  `It runs with its development server. Add ${server} to the requirements for one that is made for production.`;
const ADDRESS = '$HOST:$PORT';

/** The framework that the packages tell of, and its app in the files where it usually is. */
export function pythonApp(snapshot: Snapshot, packages: ReadonlySet<string>): PythonApp {
  if (
    snapshot.names.has('manage.py') &&
    (packages.has('django') || djangoSettingsModule(snapshot.texts['manage.py']))
  ) {
    return django(snapshot, packages);
  }
  if (packages.has('fastapi') || packages.has('starlette')) return fastApi(snapshot, packages);
  if (packages.has('flask')) return flask(snapshot, packages);
  if (packages.has('streamlit')) return streamlit(snapshot);
  const file = ['main.py', 'app.py', 'server.py', 'run.py'].find((name) => snapshot.names.has(name));
  return { name: 'Python', start: file ? ['python', file] : undefined };
}

function django({ texts }: Snapshot, packages: ReadonlySet<string>): PythonApp {
  const module = djangoSettingsModule(texts['manage.py']);
  const settings = module
    ? Object.entries(texts).filter(([file]) => file.startsWith(module.replaceAll('.', '/')))
    : [];
  const collects = settings.some(([, text]) => /^\s*STATIC_ROOT\s*=/m.test(text));
  const common = {
    name: 'Django',
    ...(collects && { build: ['python', 'manage.py', 'collectstatic', '--noinput'] }),
  };
  const site = module?.split('.')[0];
  if (packages.has('gunicorn') && site) {
    return { ...common, start: ['gunicorn', `${site}.wsgi`, '--bind', ADDRESS] };
  }
  if (packages.has('uvicorn') && site) {
    return {
      ...common,
      start: ['uvicorn', `${site}.asgi:application`, '--host', '$HOST', '--port', '$PORT'],
    };
  }
  return {
    ...common,
    start: ['python', 'manage.py', 'runserver', '--noreload', ADDRESS],
    note: DEVELOPMENT('gunicorn'),
  };
}

/** Module and variable of an app that a file makes by calling one of some classes. */
function appIn({ texts }: Snapshot, ...classes: string[]): string | undefined {
  const made = new RegExp(
    String.raw`^(\w+)(?:\s*:\s*[\w.]+)?\s*=\s*(?:\w+\.)?(?:${classes.join('|')})\(`,
    'm',
  );
  for (const [file, text] of Object.entries(texts)) {
    const variable = file.endsWith('.py') ? made.exec(text)?.[1] : undefined;
    if (variable) return `${moduleOf(file)}:${variable}`;
  }
  return undefined;
}

function moduleOf(file: string): string {
  return file
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.');
}

function fastApi(snapshot: Snapshot, packages: ReadonlySet<string>): PythonApp {
  const name = packages.has('fastapi') ? 'FastAPI' : 'Starlette';
  const app = appIn(snapshot, 'FastAPI', 'Starlette');
  if (!app)
    return {
      name,
      start: undefined,
      whyNot: `No ${name} app was found in main.py, app.py or app/main.py. Set a start command.`,
    };
  if (packages.has('hypercorn')) return { name, start: ['hypercorn', app, '--bind', ADDRESS] };
  if (packages.has('uvicorn') || packages.has('fastapi-cli')) {
    return { name, start: ['uvicorn', app, '--host', '$HOST', '--port', '$PORT'] };
  }
  if (
    /^fastapi\[(standard|all)/im.test(
      snapshot.texts['requirements.txt'] ?? snapshot.texts['pyproject.toml']?.replace(/["']/g, '') ?? '',
    )
  ) {
    return { name, start: ['uvicorn', app, '--host', '$HOST', '--port', '$PORT'] };
  }
  throw new CannotRun(`A ${name} app needs a server, such as uvicorn. Add uvicorn to its requirements.`);
}

function flask(snapshot: Snapshot, packages: ReadonlySet<string>): PythonApp {
  const name = 'Flask';
  const factory = Object.entries(snapshot.texts).find(
    ([file, text]) => file.endsWith('.py') && /^def create_app\(/m.test(text),
  )?.[0];
  const app = appIn(snapshot, 'Flask') ?? (factory && `${moduleOf(factory)}:create_app()`);
  if (!app) {
    const file = ['main.py', 'app.py', 'run.py'].find((main) => snapshot.names.has(main));
    return {
      name,
      start: file ? ['python', file] : undefined,
      whyNot: 'No Flask app was found in app.py, main.py or wsgi.py. Set a start command.',
    };
  }
  if (packages.has('gunicorn')) return { name, start: ['gunicorn', app, '--bind', ADDRESS] };
  if (packages.has('waitress')) {
    const made = app.endsWith('()') ? ['--call', app.slice(0, -2)] : [app];
    return { name, start: ['waitress-serve', `--listen=${ADDRESS}`, ...made] };
  }
  return {
    name,
    start: ['flask', '--app', app.replace(/\(\)$/, ''), 'run', '--host', '$HOST', '--port', '$PORT'],
    note: DEVELOPMENT('gunicorn'),
  };
}

function streamlit({ names }: Snapshot): PythonApp {
  const file = ['streamlit_app.py', 'app.py', 'main.py'].find((name) => names.has(name));
  const flags = ['--server.headless', 'true', '--server.address', '$HOST', '--server.port', '$PORT'];
  return { name: 'Streamlit', start: file ? ['streamlit', 'run', file, ...flags] : undefined };
}
