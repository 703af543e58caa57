let own: string | undefined;

/** The zone that the program runs in: in a browser, its reader's. Found once, since that takes milliseconds. */
export function ownTimeZone(): string {
  return (own ??= Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}
