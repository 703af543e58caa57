import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './settings';

/**
 * Opens the program's log, a line of JSON for each event, on the standard output unless told otherwise. Headers, which
 * prove who sent a request, never stand in it, though the reader of forms tells them at `trace`.
 */
export function openLog(level: LogLevel, destination?: DestinationStream): Logger {
  const redact = { paths: ['busboyOptions.headers'], remove: true };
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, redact };
  return destination ? pino(options, destination) : pino(options);
}
