import type { Plugin } from 'vite';

/** The plugin that leaves out of the data grid what no list shows. */
export function leanGrid(): Plugin;
