import type { User } from '@nephos/contracts';

type Named = Pick<User, 'firstName' | 'lastName' | 'email'>;

/** Two letters for the avatar: initials of both names, else the email's first two letters, else 'UT'. */
export function initials({ firstName, lastName, email }: Named): string {
  if (firstName && lastName) return (firstLetter(firstName) + firstLetter(lastName)).toUpperCase();
  return [...email].slice(0, 2).join('').toUpperCase() || 'UT';
}

/** First and last name where both are known, else the email, else 'User'. */
export function displayName({ firstName, lastName, email }: Named): string {
  return firstName && lastName ? `${firstName} ${lastName}` : email || 'User';
}

/** A whole character, even one outside the basic plane. */
function firstLetter(text: string): string {
  return [...text][0] ?? '';
}
