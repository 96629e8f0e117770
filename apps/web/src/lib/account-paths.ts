/** Where the browser goes to log in, to sign up and to log out; pages of the API, not routes of the console. */
export const LOGIN_PATH = '/api/login';
export const SIGNUP_PATH = `${LOGIN_PATH}?mode=signup`;
export const LOGOUT_PATH = '/api/logout';
