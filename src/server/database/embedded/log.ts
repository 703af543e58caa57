/** The methods of a logger that the launcher needs; pino's loggers have them. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
