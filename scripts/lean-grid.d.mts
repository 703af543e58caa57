import type { Plugin } from 'vite';

/** The plugin that removes unused parts of the data grid. */
export function leanGrid(): Plugin;
