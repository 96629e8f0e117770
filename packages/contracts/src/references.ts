/** What a value of a variable can refer to: `${{databases.shop.url}}` stands for what it is when a deployment starts. */

export const REFERENCE_FIELDS = {
  databases: ['url', 'host', 'port', 'name', 'user', 'password'],
  projects: ['url'],
} as const;
export type ReferenceKind = keyof typeof REFERENCE_FIELDS;

export interface Reference {
  kind: ReferenceKind;
  /** Of a database its name or id, of a project its slug or name. */
  name: string;
  field: string;
}

/** Fields whose values are secrets: what they stand for is masked in logs. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['databases.url', 'databases.password']);

const BRACES = /\$\{\{([^{}]*)\}\}/g;
const PATH = /^(?<kind>databases|projects)\.(?<name>.+)\.(?<field>[^.]*)$/s;

/** `databases.shop.url`; undefined where it names nothing that can be referred to. */
export function parseReference(path: string): Reference | undefined {
  const { kind, name, field } = PATH.exec(path.trim())?.groups ?? {};
  if (kind === undefined || name === undefined || field === undefined) return undefined;
  // The expression admits these two kinds alone.
  return { kind: kind as ReferenceKind, name: name.trim(), field: field.trim() };
}

/** As it stands between the braces. */
export function pathOf({ kind, name, field }: Reference): string {
  return `${kind}.${name}.${field}`;
}

/** What is written into a value to refer to a database: by its name, or by its id where a name would be misread. */
export function databaseReference({ id, name }: { id: string; name: string }, field = 'url'): string {
  return `\${{${pathOf({ kind: 'databases', name: /[{}]/.test(name) ? id : name, field })}}}`;
}

/** What is written into a value to refer to a project's address. */
export function projectReference({ slug }: { slug: string }): string {
  return `\${{${pathOf({ kind: 'projects', name: slug, field: 'url' })}}}`;
}

/** The paths of all references in a value, each once, in their order. */
export function referencesIn(value: string): string[] {
  const paths = [...value.matchAll(BRACES)].flatMap(([, path = '']) => {
    const reference = parseReference(path);
    return reference ? [pathOf(reference)] : [];
  });
  return [...new Set(paths)];
}

/** The path of the one reference that a value is, and nothing else; undefined otherwise. */
export function soleReference(value: string): string | undefined {
  const [whole] = value.trim().match(BRACES) ?? [];
  return whole === value.trim() ? referencesIn(value)[0] : undefined;
}

/** A value with what its references stand for, by path. */
export function withReferences(value: string, resolved: ReadonlyMap<string, string>): string {
  return value.replace(BRACES, (whole, path: string) => {
    const reference = parseReference(path);
    return (reference && resolved.get(pathOf(reference))) ?? whole;
  });
}

/** Whether what a path stands for is kept out of logs. */
export function isSecretReference(path: string): boolean {
  const reference = parseReference(path);
  return reference === undefined || SECRET_FIELDS.has(`${reference.kind}.${reference.field}`);
}

const HOW = `Use \${{databases.<name>.url}} or \${{projects.<name>.url}}.`;

/** What is wrong with how a value refers to things, as a sentence; whether these exist is for the server to say. */
export function faultOfReferences(value: string): string | undefined {
  for (const [, inner = ''] of value.matchAll(BRACES)) {
    const reference = parseReference(inner);
    if (!reference) return `“\${{${inner.slice(0, 60)}}}” is not a reference. ${HOW}`;
    const fields: readonly string[] = REFERENCE_FIELDS[reference.kind];
    if (fields.includes(reference.field)) continue;
    const known = `${fields.slice(0, -1).join(', ')}${fields.length > 1 ? ' and ' : ''}${fields.at(-1)}`;
    return `“${reference.field.slice(0, 60)}” is not a field of ${reference.kind}. They have ${known}.`;
  }
  return value.replace(BRACES, '').includes('${{') ? `A reference is not complete. ${HOW}` : undefined;
}
