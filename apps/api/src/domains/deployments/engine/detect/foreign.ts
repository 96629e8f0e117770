/** Files by which a folder is known as one of a language that only a container runs. */
const FOREIGN: Readonly<Record<string, string>> = {
  'go.mod': 'Go',
  'Cargo.toml': 'Rust',
  'composer.json': 'PHP',
  Gemfile: 'Ruby',
  'pom.xml': 'Java',
  'build.gradle': 'Java',
  'build.gradle.kts': 'Java',
  'mix.exs': 'Elixir',
  'deno.json': 'Deno',
};

/** The file that says so, with its language: 'go.mod (Go)'. */
export function foreignOf(names: ReadonlySet<string>): string | undefined {
  const file = Object.keys(FOREIGN).find((name) => names.has(name));
  return file && `${file} (${FOREIGN[file]})`;
}
