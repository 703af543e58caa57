import type { Plugin } from 'vite';

/** The plugin of the server's build that compiles the JSON Schemas of definitions. */
export function compileSchemas(): Plugin;
