const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

/**
 * The text that an app gets of an attribute in AndroidManifest.xml, after the merger of manifests and aapt2. Throws
 * where a person's text would become a placeholder or a reference.
 */
export function aaptString(attribute: string): string {
  if (/\$\{[^}]*\}/.test(attribute)) throw new Error(`a placeholder in ${attribute}`);
  if (/^[@?]/.test(attribute)) throw new Error(`a reference: ${attribute}`);
  return attribute.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gsu, (_whole, hex, escaped) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPES[escaped] ?? escaped),
  );
}
