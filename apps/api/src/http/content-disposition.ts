/** Characters that `filename*` may hold as they are: attr-char of RFC 8187 §3.2.1, but for what encoding leaves. */
const STILL_TO_ENCODE = /['()*]/g;
const NOT_PLAIN = /[^\x20-\x7e]|["\\%]/gu;

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A `Content-Disposition` (RFC 6266) that names a file in any script, and for old clients as near as ASCII allows. */
export function contentDisposition(kind: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replace(NOT_PLAIN, '_');
  if (plain === fileName) return `${kind}; filename="${plain}"`;
  const encoded = encodeURIComponent(fileName).replace(STILL_TO_ENCODE, percent);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
