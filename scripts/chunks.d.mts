import type { Plugin, Rolldown } from 'vite';

/** The option `output.codeSplitting` of rolldown. */
export function codeSplitting(): Rolldown.CodeSplittingOptions;
/** Names the files of the frame and of lists in the page, for `public/preload.js`. */
export function namedParts(): Plugin;
