import { type Html, html } from '../html.ts';

/** What a mail says. Texts are plain: markup in them is shown as it is. */
export interface MailContent {
  subject: string;
  /** Paragraphs. */
  lines: readonly string[];
  /** The one thing to do, as a button. */
  action?: { label: string; url: string } | undefined;
  /** Paragraphs below it. */
  after?: readonly string[] | undefined;
}

export interface Message {
  subject: string;
  text: string;
  html: string;
}

/** Characters of a subject; a header's line has at most 998 (RFC 5322 §2.1.1). */
const SUBJECT_MAX = 200;

/** Texts hold what people have typed: no line of theirs ends a header, or a paragraph, before its time. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

function paragraph(text: string): Html {
  return html`<p style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:#1f2328">${text}</p>\n`;
}

/** A link that is a button; below it stands the address, for programs that show no links. */
function button({ label, url }: NonNullable<MailContent['action']>): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr><td style="border-radius:6px;background:#0f766e"><a href="${url}" style="display:inline-block;padding:12px 20px;${FONT};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${label}</a></td></tr></table>
<p style="margin:0 0 16px;${FONT};font-size:13px;line-height:20px;color:#59636e;word-break:break-all">${url}</p>\n`;
}

function page(subject: string, body: readonly Html[], origin: string): Html {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${subject}</title></head>
<body style="margin:0;padding:0;background:#f6f8fa">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #d1d9e0;border-radius:8px"><tr><td style="padding:32px">
<h1 style="margin:0 0 16px;${FONT};font-size:20px;line-height:28px;color:#1f2328">${subject}</h1>
${body}</td></tr></table>
<p style="margin:16px 0 0;${FONT};font-size:13px;line-height:20px;color:#59636e">Sent by Nephos at ${origin}</p>
</td></tr></table>
</body>
</html>
`;
}

/** The mail as text and as HTML, which say the same. `origin` is the console's, for who wonders where it is from. */
export function renderMail({ lines, action, after = [], ...content }: MailContent, origin: string): Message {
  const subject = inOneLine(content.subject).slice(0, SUBJECT_MAX);
  const [above, below] = [lines.map(inOneLine), after.map(inOneLine)];
  const act = action && { label: inOneLine(action.label), url: inOneLine(action.url) };
  const parts = [...above, ...(act ? [`${act.label}:\n${act.url}`] : []), ...below];
  const body = [...above.map(paragraph), ...(act ? [button(act)] : []), ...below.map(paragraph)];
  return {
    subject,
    text: `${parts.join('\n\n')}\n\n-- \nSent by Nephos at ${origin}\n`,
    html: page(subject, body, origin).toString(),
  };
}
