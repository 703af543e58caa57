import pino, { type DestinationStream, type Logger } from 'pino';
import { currentRequest } from '../requests/current-request';
import type { LogLevel } from './settings';

/**
 * Opens the program's log, a line of JSON for each event, on the standard output unless told otherwise; what is written
 * while a request is answered carries its id. Headers, which
 * prove who sent a request, never stand in it, though the reader of forms tells them at `trace`.
 */
export function openLog(level: LogLevel, destination?: DestinationStream): Logger {
  const redact = { paths: ['busboyOptions.headers'], remove: true };
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, redact, mixin: ofRequest };
  const watched = destination ?? (process.stdout.isTTY ? readable(process.stdout) : undefined);
  return watched ? pino(options, watched) : pino(options);
}

/** Writes lines of JSON as a person reads them: `14:05:09 WARN  The disk is nearly full. {"free":3}`, errors with their stack. */
export function readable(out: { write(text: string): unknown }): DestinationStream {
  return {
    write(line) {
      const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Record<string, unknown> & { level: number };
      const word = level === 30 ? '' : `${(pino.levels.labels[level] ?? String(level)).toUpperCase()} `;
      const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
      const { stack, message } = (err ?? {}) as { stack?: string; message?: string };
      const trace = err === undefined ? '' : `\n${stack ?? message ?? JSON.stringify(err)}`;
      out.write(`${new Date(String(time)).toTimeString().slice(0, 8)} ${word}${String(msg)}${more}${trace}\n`);
    },
  };
}

function ofRequest(): object {
  const request = currentRequest();
  return request && !request.over ? { request_id: request.id } : {};
}
