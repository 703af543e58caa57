import pino, { type DestinationStream, type Logger } from 'pino';
import { currentRequest } from '../requests/current-request';
import type { LogLevel } from './settings';

/**
 * Opens the program's log: one line of JSON per event, on standard output by default. Lines written while a request is
 * handled carry its id. Request headers, which hold credentials, are never logged, though the form parser logs them at
 * `trace`.
 */
export function openLog(level: LogLevel, destination?: DestinationStream): Logger {
  const redact = { paths: ['busboyOptions.headers'], remove: true };
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, redact, mixin: requestFields };
  const destinationStream = destination ?? (process.stdout.isTTY ? readableStream(process.stdout) : undefined);
  return destinationStream ? pino(options, destinationStream) : pino(options);
}

/** Formats JSON log lines for people: `14:05:09 WARN  The disk is nearly full. {"free":3}`, errors with their stack. */
export function readableStream(stream: { write(text: string): unknown }): DestinationStream {
  return {
    write(line) {
      const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Record<string, unknown> & { level: number };
      const word = level === 30 ? '' : `${(pino.levels.labels[level] ?? String(level)).toUpperCase()} `;
      const detailsText = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
      const { stack, message } = (err ?? {}) as { stack?: string; message?: string };
      const trace = err === undefined ? '' : `\n${stack ?? message ?? JSON.stringify(err)}`;
      stream.write(
        `${new Date(String(time)).toTimeString().slice(0, 8)} ${word}${String(msg)}${detailsText}${trace}\n`,
      );
    },
  };
}

function requestFields(): object {
  const request = currentRequest();
  return request && !request.hasEnded ? { request_id: request.id } : {};
}
