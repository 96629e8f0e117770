/** A name of Kubernetes (RFC 1123), which is safe as that of a file. */
const NAME = /^name: *["']?([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)["']?\s*$/;

const NAMES: Readonly<Record<string, string>> = {
  dockerfile: 'Dockerfile',
  docker: 'Dockerfile',
  json: 'answer.json',
  toml: 'answer.toml',
  sql: 'query.sql',
  sh: 'script.sh',
  bash: 'script.sh',
  ini: 'answer.ini',
  hcl: 'main.tf',
  terraform: 'main.tf',
};

/** What code would be called as a file: a manifest by its own name; undefined where it is none, such as output. */
export function codeFileName(language: string, code: string): string | undefined {
  if (language === 'yaml' || language === 'yml') return `${manifestName(code) ?? 'manifest'}.yaml`;
  return Object.hasOwn(NAMES, language) ? NAMES[language] : undefined;
}

/** The name in the first manifest's metadata. */
function manifestName(code: string): string | undefined {
  const [, metadata = ''] = /^metadata:\s*\n((?: +.*\n?)+)/m.exec(code) ?? [];
  const indent = metadata.search(/\S/);
  const names = metadata.split('\n').filter((line) => line.search(/\S/) === indent);
  return names.map((line) => NAME.exec(line.trim())?.[1]).find((name) => name !== undefined);
}
