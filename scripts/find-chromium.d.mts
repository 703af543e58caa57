/** The path of a usable Chromium; installs one if possible. Throws an Error with a one-line message. */
export function findChromium(): string;
/** The flags Chromium needs in a test. */
export function chromiumFlags(): string[];
