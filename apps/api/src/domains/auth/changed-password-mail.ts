import type { Settings } from '../../core/settings.ts';
import type { NewMail } from '../../platform/mail/mail.ts';
import { FORGOT_PATH } from './reset-links.ts';

/** Tells somebody that their password was changed; `lines` say how, and what ended with it. */
export function changedPasswordMail(
  to: string,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  lines: readonly string[],
): NewMail {
  return {
    ...{ to, subject: 'Your Nephos password was changed', lines: [...lines] },
    after: [`If it wasn't you, set another one at ${new URL(FORGOT_PATH, publicUrl).href}`],
  };
}
