/** Where the links in mails of a changed address lead. */
export const CONFIRM_PATH = '/api/login/email';
export const UNDO_PATH = '/api/login/email/undo';
