/** Markup that is safe to send: what `html` made, and nothing else. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

type Content = Html | string | number | false | null | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(content: Content): string {
  if (content instanceof Html) return content.markup;
  if (Array.isArray(content)) return content.map(render).join('');
  if (content === false || content === null || content === undefined) return '';
  return String(content).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * Template of markup: interpolated text is escaped for elements and for quoted attributes, `Html` is taken as it is,
 * lists are joined, `false`, `null` and `undefined` are nothing. Not for scripts, styles or unquoted attributes.
 */
export function html(strings: TemplateStringsArray, ...contents: Content[]): Html {
  return new Html(strings.map((part, index) => part + render(contents[index])).join(''));
}
