let cachedTimeZone: string | undefined;

/**
 * The time zone of the runtime: in a browser, the user's. Cached, because finding it takes milliseconds.
 *
 * @example const zone = localTimeZone(); // 'Europe/Berlin'
 */
export function localTimeZone(): string {
  return (cachedTimeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}

/** Makes another time zone the local one, until the function that it returns is called. */
export function setLocalTimeZone(timeZone: string): () => void {
  const previousTimeZone = cachedTimeZone;
  cachedTimeZone = timeZone;
  return () => {
    cachedTimeZone = previousTimeZone;
  };
}
