import type { Framework } from '@nephos/contracts';
import type { Snapshot } from './snapshot.ts';

/** Files by which a repository is known as one of a framework that we run. */
const OURS: readonly (readonly [Framework, readonly string[]])[] = [
  ['nodejs', ['package.json']],
  ['python', ['requirements.txt', 'main.py', 'app.py', 'Procfile']],
  ['static', ['index.html']],
];

/** Files of what this server does not run. */
const FOREIGN: Readonly<Record<string, string>> = {
  'go.mod': 'Go',
  'Cargo.toml': 'Rust',
  'composer.json': 'PHP',
  Gemfile: 'Ruby',
  'pom.xml': 'Java',
  'build.gradle': 'Java',
  'mix.exs': 'Elixir',
  'pyproject.toml': 'Python packaging',
  Dockerfile: 'Docker',
};

/** What was found instead and what to do about it, to follow a sentence that says what is missing. */
export function advise(chosen: Framework, { names }: Snapshot): string {
  for (const [framework, files] of OURS) {
    const file = files.find((name) => names.has(name));
    if (file && framework !== chosen) return `It has ${file}. Set the framework to ${framework}.`;
  }
  const foreign = Object.keys(FOREIGN).find((name) => names.has(name));
  if (foreign) return `It has ${foreign} (${FOREIGN[foreign]}), which this server cannot run.`;
  const found = [...names].filter((name) => name !== '.git').slice(0, 5);
  return found.length > 0 ? `It has ${found.join(', ')}.` : 'It is empty.';
}
