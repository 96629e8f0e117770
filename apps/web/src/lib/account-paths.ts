/** Where the browser goes to sign in or up, and to sign out; pages of the API, not routes of the console. */
export const LOGIN_PATH = '/api/login';
export const LOGOUT_PATH = '/api/logout';
