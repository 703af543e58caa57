let own: string | undefined;

/** The time zone of the runtime: in a browser, the user's. Cached, because finding it takes milliseconds. */
export function ownTimeZone(): string {
  return (own ??= Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}
