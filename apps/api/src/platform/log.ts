import { type Logger, pino } from 'pino';

/** Structured log on standard error, without anything that opens a door. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]'],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
