/** A person's text, written so that each format reads back exactly that text. Each function is for one format. */

function hex4(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
const NOT_IN_KOTLIN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** A string literal of Kotlin (Kotlin specification, "String literals"): no template, no line end. */
export function kotlinString(text: string): string {
  const escaped = text
    .replace(/[\\"$]/g, '\\$&')
    .replace(NOT_IN_KOTLIN, (character) => `\\u${hex4(character)}`);
  return `"${escaped}"`;
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text or a double-quoted attribute's value of XML 1.0, §2.4. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => XML_ENTITIES[character] ?? character);
}

/**
 * A string in an attribute of AndroidManifest.xml: aapt2 reads backslashes as escapes, and `@` or `?` at the beginning
 * as a reference; before it, the merger of manifests replaces `${name}`.
 */
export function androidString(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replace(/^[@?]/, '\\$&').replaceAll('${', '\\u0024{');
  return xmlText(escaped);
}

/** A string of an Info.plist: Xcode replaces `$(NAME)`, `${NAME}` and `$NAME` in it, and reads `$$` as `$`. */
export function infoPlistString(text: string): string {
  return text.replaceAll('$', '$$$$');
}

/**
 * The value of a line of an xcconfig file: `$` begins a reference, `//` a comment, which an empty reference prevents,
 * and a final semicolon is dropped. No value can hold the end of a line.
 */
export function xcconfigValue(text: string): string {
  return text
    .replaceAll('$', '$$$$')
    .replaceAll(/\/(?=\/)/g, '/$$()')
    .replace(/;$/, ';$$()')
    .replaceAll(/[\n\r\u2028\u2029]/g, ' ');
}

/** A double-quoted scalar of YAML 1.2, §7.3.1, which a JSON string is, but for characters that YAML cannot print. */
export function yamlString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${hex4(character)}`,
  );
}

/** A single-quoted string of Ruby, in which nothing is interpolated. */
export function rubyString(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** Plain words of Markdown: no markup, link, reference or formula comes of them (CommonMark §2.4). */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~&@$]|:(?=\/\/)/g, '\\$&');
}

/** One word of a POSIX shell's command. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
