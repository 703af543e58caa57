let cachedTimeZone: string | undefined;

/**
 * The time zone of the runtime: in a browser, the user's. Cached, because finding it takes milliseconds.
 *
 * @example const zone = localTimeZone(); // 'Europe/Berlin'
 */
export function localTimeZone(): string {
  return (cachedTimeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}
