import { z } from 'zod';

// Control characters, those that turn the direction of what is shown after them (UAX #9), and two that are none (no
// XML can hold them).
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: newline and tab are what a longer text may hold
const CONTROL_BUT_LAYOUT = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/;

/** What can be seen: neither a space nor one of the characters that are not shown (UAX #44). */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;

function normalised(value: string): string {
  return value.normalize('NFC').trim();
}

/** One line of text: NFC, trimmed, without control characters, something to see; 1 to `max` UTF-16 units then. */
export function line(max: number, label = 'This field') {
  return z
    .string({ error: ({ input }) => `${label} ${input === undefined ? 'is required' : 'must be text'}.` })
    .overwrite(normalised)
    .min(1, `${label} is required.`)
    .max(max, `${label} can have at most ${max} characters.`)
    .refine((value) => value === '' || VISIBLE.test(value), `${label} is required.`)
    .refine((value) => !CONTROL.test(value), `${label} contains characters that can't be displayed.`);
}

/** Like `line`, but may be empty. */
export function optionalLine(max: number, label = 'This field') {
  return z
    .string(`${label} must be text.`)
    .overwrite(normalised)
    .max(max, `${label} can have at most ${max} characters.`)
    .refine((value) => !CONTROL.test(value), `${label} contains characters that can't be displayed.`);
}

/** Text that may have newlines and tabs, and may be empty: NFC, trimmed, at most `max` UTF-16 units. */
export function paragraph(max: number, label = 'This field') {
  return z
    .string(`${label} must be text.`)
    .overwrite((value) => normalised(value.replaceAll('\r\n', '\n')))
    .max(max, `${label} can have at most ${max} characters.`)
    .refine(
      (value) => !CONTROL_BUT_LAYOUT.test(value),
      `${label} contains characters that can't be displayed.`,
    );
}
