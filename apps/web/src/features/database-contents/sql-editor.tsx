import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, type SQLNamespace, sql } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { DatabaseTable } from '@nephos/contracts';
import { useEffect, useImperativeHandle, useRef } from 'react';

/** What the page asks of its editor. */
export interface SqlEditorHandle {
  /** The selected text, or else the statement at the cursor, with its place in the text. */
  statement: () => { sql: string; from: number };
  /** Puts a text in the place of what is there. */
  replace: (text: string) => void;
  /** Moves the cursor to a place of the text. */
  select: (place: number) => void;
}

export interface SqlEditorProps {
  ref: React.Ref<SqlEditorHandle>;
  /** For completion. */
  tables: readonly DatabaseTable[];
  /** Mod-Enter. */
  onRun: () => void;
}

const LOOK = EditorView.theme({
  '&': { fontSize: '13px', minHeight: '9rem', maxHeight: '50dvh' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--fg)', padding: '0.75rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--fg)' },
  '.cm-gutters': { background: 'transparent', color: 'var(--faint)', border: 'none', paddingLeft: '0.5rem' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-tooltip': { background: 'var(--raised)', border: '1px solid var(--line-strong)', borderRadius: '6px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--hover)', color: 'var(--fg)' },
  '.cm-matchingBracket': { background: 'var(--hover)' },
});

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: 'var(--accent-text)' },
    { tag: [tags.string, tags.special(tags.string)], color: 'var(--success)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning)' },
    { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
    { tag: tags.typeName, color: 'var(--muted)' },
  ]),
);

function namespaceOf(tables: readonly DatabaseTable[]): SQLNamespace {
  const schemas: Record<string, Record<string, readonly string[]>> = {};
  for (const { schema, name, columns } of tables) {
    schemas[schema] = { ...schemas[schema], [name]: columns };
  }
  return schemas;
}

const languageFor = (tables: readonly DatabaseTable[]) =>
  sql({ dialect: PostgreSQL, schema: namespaceOf(tables), defaultSchema: 'public' });

/** Where statements are written. Escape, then Tab leaves it by the keyboard; Tab alone always does. */
export default function SqlEditor({ ref, tables, onRun }: SqlEditorProps) {
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const language = useRef(new Compartment());
  const run = useRef(onRun);
  run.current = onRun;

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for as long as it is mounted
  useEffect(() => {
    if (!frame.current) return;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        extensions: [
          ...[lineNumbers(), history(), bracketMatching(), closeBrackets(), autocompletion()],
          Prec.highest(
            keymap.of([
              {
                key: 'Mod-Enter',
                run: () => {
                  run.current();
                  return true;
                },
              },
            ]),
          ),
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
          language.current.of(languageFor(tables)),
          ...[LOOK, COLOURS, EditorView.lineWrapping, placeholder('select * from …')],
          EditorView.contentAttributes.of({ 'aria-label': 'Statement' }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageFor(tables)) });
  }, [tables]);

  useImperativeHandle(ref, () => ({
    statement: () => (view.current ? statementIn(view.current.state) : { sql: '', from: 0 }),
    replace(text) {
      const editor = view.current;
      editor?.dispatch({
        changes: { from: 0, to: editor.state.doc.length, insert: text },
        selection: { anchor: text.length },
      });
      editor?.focus();
    },
    select(place) {
      const editor = view.current;
      editor?.dispatch({
        selection: { anchor: Math.min(place, editor.state.doc.length) },
        scrollIntoView: true,
      });
      editor?.focus();
    },
  }));

  return (
    <div
      ref={frame}
      className="rounded-xl border border-control-line bg-control focus-within:border-accent"
    />
  );
}

function statementIn(state: EditorState): { sql: string; from: number } {
  const { main } = state.selection;
  if (!main.empty) return { sql: state.sliceDoc(main.from, main.to), from: main.from };
  let found: { from: number; to: number } | undefined;
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) {
    if (node.name !== 'Statement') continue;
    // The last one that begins at or before the cursor.
    if (!found || node.from <= main.head) found = { from: node.from, to: node.to };
  }
  return found
    ? { sql: state.sliceDoc(found.from, found.to), from: found.from }
    : { sql: state.doc.toString(), from: 0 };
}
