/** Tells one build of the server from another, by its sources. */
export function serverFingerprint(): string;
