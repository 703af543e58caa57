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
  return destination ? pino(options, destination) : pino(options);
}

function ofRequest(): object {
  const request = currentRequest();
  return request && !request.over ? { request_id: request.id } : {};
}
