import { z } from 'zod';
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN } from './constants.ts';

export const Email = z
  .string('Enter your email address.')
  .overwrite((value) => value.normalize('NFC').trim().toLowerCase())
  .max(EMAIL_MAX, `An email address can have at most ${EMAIL_MAX} characters.`)
  .pipe(z.email('Enter an email address like name@example.com.'));

/** A new password: 8 to 128 characters, any of them; NFC so that every keyboard types the same one. */
export const Password = z
  .string('Enter a password.')
  .overwrite((value) => value.normalize('NFC'))
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `Password can be at most ${PASSWORD_MAX} characters.`);
