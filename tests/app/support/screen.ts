import { vi } from 'vitest';

/** Answers media queries. */
export function stubScreen(matches: (query: string) => boolean): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matches(query),
    media: query,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }));
}

/** Simulates a phone's screen. Call it before rendering. */
export function onPhone(): void {
  stubScreen((query) => query.includes('max-width'));
}
