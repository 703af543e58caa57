/** The path of a Chromium that can be started; installs one where that is possible. Throws an Error of one line. */
export function findChromium(): string;
/** The flags Chromium needs in a test. */
export function chromiumFlags(): string[];
