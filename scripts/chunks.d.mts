import type { Plugin, Rolldown } from 'vite';

/** The option `output.codeSplitting` of rolldown. */
export function codeSplitting(): Rolldown.CodeSplittingOptions;
/** Names the files of the frame in the page, for `public/preload.js`. */
export function namedFrame(): Plugin;
