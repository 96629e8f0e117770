import { type Logger, pino } from 'pino';

/** One line of JSON for each entry, without cookies and tokens, by which whoever reads it could sign in. */
export const LOG_OPTIONS = {
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]'],
};

/** The structured log on standard error, from `level` up. */
export function createLog(level: string): Logger {
  return pino({ ...LOG_OPTIONS, level }, pino.destination({ dest: 2, sync: true }));
}
