import { expect, test } from 'vitest';
import { renderMail } from './message.ts';

test('a mail says the same in text and in HTML, and shows what people typed as they typed it', () => {
  const mail = {
    subject: 'Ada <ada@example.com> invites you\r\nBcc: eve@example.com',
    lines: ['Hello & welcome.\nSecond line', "It's <b>yours</b>."],
    action: { label: 'Sign up', url: 'https://console.example/api/login?mode=signup&invite=1"2' },
    after: ['It works until tomorrow.'],
  };
  const { subject, text, html } = renderMail(mail, 'https://console.example');
  expect(subject).toBe('Ada <ada@example.com> invites you Bcc: eve@example.com');
  expect(text).toMatchInlineSnapshot(`
    "Hello & welcome. Second line

    It's <b>yours</b>.

    Sign up:
    https://console.example/api/login?mode=signup&invite=1"2

    It works until tomorrow.

    -- 
    Sent by Nephos at https://console.example
    "
  `);
  expect(html).toMatchInlineSnapshot(`
    "<!doctype html>
    <html lang="en">
    <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>Ada &lt;ada@example.com&gt; invites you Bcc: eve@example.com</title></head>
    <body style="margin:0;padding:0;background:#f6f8fa">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #d1d9e0;border-radius:8px"><tr><td style="padding:32px">
    <h1 style="margin:0 0 16px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:20px;line-height:28px;color:#1f2328">Ada &lt;ada@example.com&gt; invites you Bcc: eve@example.com</h1>
    <p style="margin:0 0 16px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px;color:#1f2328">Hello &amp; welcome. Second line</p>
    <p style="margin:0 0 16px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px;color:#1f2328">It&#39;s &lt;b&gt;yours&lt;/b&gt;.</p>
    <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr><td style="border-radius:6px;background:#0f766e"><a href="https://console.example/api/login?mode=signup&amp;invite=1&quot;2" style="display:inline-block;padding:12px 20px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">Sign up</a></td></tr></table>
    <p style="margin:0 0 16px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:13px;line-height:20px;color:#59636e;word-break:break-all">https://console.example/api/login?mode=signup&amp;invite=1&quot;2</p>
    <p style="margin:0 0 16px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px;color:#1f2328">It works until tomorrow.</p>
    </td></tr></table>
    <p style="margin:16px 0 0;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:13px;line-height:20px;color:#59636e">Sent by Nephos at https://console.example</p>
    </td></tr></table>
    </body>
    </html>
    "
  `);
  expect(html).not.toMatch(/<(img|script|style|link)|url\(/i);
});
