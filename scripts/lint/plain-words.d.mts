export function forbiddenWords(words?: Record<string, string>): Set<string>;
