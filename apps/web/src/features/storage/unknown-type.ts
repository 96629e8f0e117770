/** What is sent where the browser does not know a file's type. */
export const UNKNOWN_TYPE = 'application/octet-stream';
